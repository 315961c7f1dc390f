-- pivot.sql - the rows and columns of one table that [show] asks for: done when 'ours' has its rows of 'shown_row', with their heads,
-- and 'entry' what stands in it

DELETE FROM pivot_row;
DELETE FROM pivot_column;

-- In the order of the rows; from the least number on where all are numbers, and behind these the heads of what has none.
INSERT INTO pivot_row (head)
SELECT row_head
FROM entry
GROUP BY row_head
ORDER BY CASE WHEN (SELECT count(row_key) > 0 AND count(row_key) = sum(typeof(row_key) IN ('integer', 'real')) FROM ours)
              THEN CASE WHEN typeof(row_head) IN ('integer', 'real') THEN row_head ELSE 9e999 END END,
         min(place);

-- What is beside the table first, with what is printed of it behind; columns that only the paper has last.
INSERT INTO pivot_column (head, is_printed)
SELECT e.column_head, e.is_printed
FROM entry AS e
JOIN (SELECT column_head AS head, min(place) AS first, min(is_printed) AS is_paper FROM entry GROUP BY column_head) AS h
  ON h.head IS e.column_head
GROUP BY e.column_head, e.is_printed
ORDER BY e.column_head IS NOT NULL, h.is_paper,
         CASE WHEN NOT h.is_paper AND (SELECT count(column_key) > 0 AND count(column_key) = sum(typeof(column_key) IN ('integer', 'real')) FROM ours)
              THEN CASE WHEN typeof(e.column_head) IN ('integer', 'real') THEN e.column_head ELSE 9e999 END END,
         h.first, e.is_printed;
