-- stixels-bars.sql - what bars of stixels have in common: a panel for each block
CREATE VIEW panel AS
SELECT k.block AS panel, 'stixels of ' || b.said || ' px' AS title, min(k.id) AS place
FROM kept AS k
JOIN block_text AS b ON b.block = k.block
GROUP BY k.block;

CREATE VIEW note AS
SELECT 'note' AS name, 'Hatched: timed on a part of the columns, bar drawn for all of them. ' AS value
WHERE EXISTS (SELECT 1 FROM kept WHERE times > 1);
