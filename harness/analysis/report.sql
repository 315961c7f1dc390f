-- report.sql - what the page of a machine asks of its store, which has one folder of results

CREATE TEMP VIEW recorded AS
SELECT *
FROM measurement
WHERE withdrawn IS NULL;

-- The facts of the newest session that knows a GPU, else of any; one may have been given a few of the cores.
CREATE TEMP VIEW fact AS
SELECT key, text
FROM environment
WHERE session = (
    SELECT session
    FROM environment
    GROUP BY session
    ORDER BY max(key = 'gpu') DESC, max(CASE key WHEN 'cores' THEN CAST(text AS INTEGER) END) DESC, session DESC
    LIMIT 1
);
