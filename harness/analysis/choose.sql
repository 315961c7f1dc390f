-- choose.sql - done once when 'wanted' is filled
INSERT OR IGNORE INTO chosen (wanted, measurement)
SELECT wanted, measurement
FROM (SELECT wanted, measurement FROM best UNION ALL SELECT wanted, measurement FROM best_stages)
ORDER BY wanted;

UPDATE chosen
SET valued = (
    SELECT other.id
    FROM matching AS o
    JOIN measurement AS this ON this.id = chosen.measurement
    JOIN measurement AS other ON other.id = o.measurement
    WHERE o.wanted = chosen.wanted AND o.preference IS NOT NULL
      AND other.results = this.results AND other.session = this.session AND other.params IS this.params
      AND other.threads IS this.threads AND other.mode_name IS this.mode_name
      AND EXISTS (SELECT 1 FROM value WHERE value.measurement = other.id)
    ORDER BY abs(other.id - this.id), other.id
    LIMIT 1
);

INSERT INTO selected (measurement, valued)
SELECT c.measurement, c.valued
FROM chosen AS c
JOIN measurement AS m ON m.id = c.measurement
JOIN folder AS f ON f.results = m.results
ORDER BY c.wanted, f.id, m.stage IS NOT NULL, m.id;
