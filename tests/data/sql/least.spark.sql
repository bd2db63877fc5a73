-- dosimeter 1 {"statistics":["histogram town","histogram sex","mode sex"],"settings":["unknown-cells town","categories sex:f,m","user uid","max-cells 3","max-per-cell 2","min-count town:20","order at","not-private"],"dialect":"spark","table":"public.visits"}
WITH a AS (SELECT nullif(CAST(t.`uid` AS BINARY), X'') AS u, t.`at` AS o1, nullif(CAST(t.`town` AS BINARY), X'') AS c1, nullif(CAST(t.`sex` AS BINARY), X'') AS c2, 0 AS x FROM `public`.`visits` AS t WHERE nullif(CAST(t.`uid` AS BINARY), X'') IS NOT NULL)
SELECT part, cell, n0, count(*) OVER () AS total FROM (
SELECT 'cells.0' AS part, hex(g0) AS cell, CAST(sum(CAST(n AS DECIMAL(38,0))) AS STRING) AS n0
FROM (SELECT g0, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g0 ASC) AS r FROM (SELECT u, g0, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c1 AS g0 FROM a) AS b WHERE g0 IS NOT NULL GROUP BY u, g0) AS q) AS h WHERE r <= 3 GROUP BY g0 HAVING sum(CAST(n AS DECIMAL(38,0))) >= CAST(20 AS BIGINT)
UNION ALL SELECT 'cells.1' AS part, hex(g1) AS cell, CAST(sum(CAST(n AS DECIMAL(38,0))) AS STRING) AS n0
FROM (SELECT g1, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g1 ASC) AS r FROM (SELECT u, g1, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c2 AS g1 FROM a) AS b WHERE g1 IS NOT NULL GROUP BY u, g1) AS q) AS h WHERE r <= 3 GROUP BY g1
UNION ALL SELECT 'cells.2' AS part, hex(g1) AS cell, CAST(sum(CAST(n AS DECIMAL(38,0))) AS STRING) AS n0
FROM (SELECT g1, least(n, CAST(2 AS BIGINT)) AS n, row_number() OVER (PARTITION BY u ORDER BY o1 ASC NULLS LAST, g1 ASC) AS r FROM (SELECT u, g1, count(*) AS n, min(o1) AS o1 FROM (SELECT u, o1, c2 AS g1 FROM a) AS b WHERE g1 IS NOT NULL GROUP BY u, g1) AS q) AS h WHERE r <= 3 GROUP BY g1
UNION ALL SELECT 'query' AS part, '4d2127aaac234aa666bad882092c4e0ff053dd049cb62aaed2da3c682833c5d6' AS cell, CAST(NULL AS STRING) AS n0) AS s
