-- stixels-fig7.sql - how many images have which share of outliers, with eq. 6 and with eq. 12, and the difference of each image
--
-- The difference is relative, as in the paper: eq. 6 less eq. 12, in percent of eq. 6.
CREATE TEMP TABLE number AS
SELECT rowid AS place, *
FROM shown_value
WHERE name = 'd1_image_pct' AND block = 4 AND frame_pick = 'all' AND model IN ('b6', 'b12');

CREATE TEMP TABLE image AS
SELECT *, 100 * (b6 - b12) / nullif(b6, 0) AS difference
FROM (SELECT input, max(CASE model WHEN 'b6' THEN value END) AS b6, max(CASE model WHEN 'b12' THEN value END) AS b12
      FROM number
      GROUP BY input, "index");

CREATE TEMP TABLE kept AS
SELECT *
FROM whole
WHERE block = 4 AND frame_pick = 'all' AND model IN ('b6', 'b12') AND input IN (SELECT input FROM number);

CREATE TEMP VIEW drawn AS SELECT min(id) AS id FROM kept GROUP BY model, input;

CREATE TEMP TABLE counts AS
SELECT count(b6) AS n_6, count(b12) AS n_12, count(b6 - b12) AS n_both, max(max(coalesce(b6, 0), coalesce(b12, 0))) AS most,
       coalesce(min(difference), 0) AS lowest, coalesce(max(difference), 0) AS highest, coalesce(sum(b6 < b12), 0) AS better_6, coalesce(sum(b6 > b12), 0) AS better_12
FROM image;

-- Some 20 to 30 bins of a round width, 1, 2 or 5 times a power of ten; those of the difference end at 0.
CREATE TEMP TABLE round_width (width REAL);
WITH RECURSIVE decade (width) AS (SELECT 1e-4 UNION ALL SELECT 10 * width FROM decade WHERE width < 100)
INSERT INTO round_width SELECT width * m FROM decade, (SELECT 1 AS m UNION ALL SELECT 2 UNION ALL SELECT 5);

CREATE TEMP VIEW draw_bins AS
SELECT coalesce((SELECT min(width) FROM round_width WHERE most > 0 AND width >= most / 30), 1) AS width,
       coalesce((SELECT min(width) FROM round_width WHERE highest > lowest AND width >= (highest - lowest) / 30), 1) AS difference_width, most,
       lowest, highest, better_6, better_12
FROM counts;

CREATE TEMP VIEW binned AS
SELECT 1 AS panel, input, (CAST(b6 / width AS INTEGER) + 0.5) * width AS middle FROM image, draw_bins WHERE b6 IS NOT NULL
UNION ALL
SELECT 2, input, (CAST(b12 / width AS INTEGER) + 0.5) * width FROM image, draw_bins WHERE b12 IS NOT NULL
UNION ALL
SELECT 3, input, (CAST(difference / difference_width + 1000000 AS INTEGER) - 999999.5) * difference_width
FROM image, draw_bins
WHERE difference IS NOT NULL;

CREATE TEMP VIEW draw_inputs AS
SELECT (SELECT count(DISTINCT o.input) FROM number AS o WHERE o.place <= min(n.place)) AS curve, n.input FROM number AS n GROUP BY n.input ORDER BY curve;

CREATE TEMP VIEW pile AS
SELECT p.panel, i.curve, p.middle, count(*) AS n
FROM binned AS p
JOIN draw_inputs AS i ON i.input = p.input
GROUP BY p.panel, i.curve, p.middle;

-- Images of different inputs are stacked.
CREATE TEMP VIEW draw_bars AS
SELECT p.panel, p.curve, p.middle, total(b.n) AS low, total(b.n) + p.n AS high
FROM pile AS p
LEFT JOIN pile AS b ON b.panel = p.panel AND b.middle = p.middle AND b.curve < p.curve
GROUP BY p.panel, p.curve, p.middle;

-- The sets of images that there are differ between machines: the title says which.
CREATE TEMP VIEW text AS
SELECT 'title' AS name, CASE WHEN n_both > 0 THEN 'Eq. 6 has fewer outliers in ' || better_6 || ' of ' || n_both || ' generated images, eq. 12 in ' || better_12
    ELSE 'Slanted Stixels: disparity outliers in each of ' || max(n_6, n_12) || ' generated images' END AS value FROM counts
UNION ALL
SELECT 'subtitle', 'blocks of 4 × 4 px; images of ' || (SELECT replace(group_concat(input), ',', ', ') FROM draw_inputs) ||
    '; an outlier is off by more than 3 px and more than 5 %'
UNION ALL
SELECT 'note', 'Images with a result: ' || n_6 || ' of eq. 6, ' || n_12 || ' of eq. 12, ' || n_both || ' of both. ' FROM counts
WHERE n_both < n_6 OR n_both < n_12;
