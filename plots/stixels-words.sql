-- stixels-words.sql - what charts of stixels call the paper's two models, and where a row was measured

-- The paper calls them "Slanted Stixels [12]" and "Ours"; the third is this project's.  impl: whose colour it has.
CREATE TEMP TABLE model_word (kind INTEGER PRIMARY KEY, impl TEXT, said TEXT);
INSERT INTO model_word (impl, said)
VALUES ('stixels/gpu-cubic', 'Slanted Stixels [12], eq. 6'), ('stixels/gpu-paper', 'the paper''s new model, eq. 12'),
       ('stixels/gpu-opt', 'eq. 12 made faster here (stixels/gpu-opt)');

-- Rows of stixels: where they were measured, and of those timed on a part of the columns how many a frame of 2048 px has, how many times as
-- long all of them take.
CREATE TEMP TABLE stixel_row AS
SELECT s.id, CASE WHEN s.model = 'b6' THEN 1 WHEN s.impl = 'stixels/gpu-opt' THEN 3 ELSE 2 END AS kind,
       CASE WHEN s.device = 'gpu' THEN coalesce(s.gpu, 'a GPU')
            ELSE CASE WHEN s.threads > 1 THEN '' ELSE 'one of ' END || coalesce(n.cpu_name, 'the CPU''s cores') END ||
           coalesce(', ' || nullif(s.mode_name, 'any'), '') AS place,
       2048 / b.columns AS all_columns, coalesce((2048 / b.columns) * 1.0 / nullif(s.columns, 0), 1.0) AS times
FROM shown AS s
JOIN block_text AS b ON b.block = s.block
LEFT JOIN (SELECT machine, gpu, max(cpu_name) AS cpu_name FROM machine_name GROUP BY machine, gpu) AS n ON n.machine IS s.machine AND n.gpu IS s.gpu;
