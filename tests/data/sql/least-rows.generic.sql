-- dosimeter 1 {"statistics":["histogram town","count","histogram street"],"settings":["unknown-cells town","unknown-cells street","min-count town:20","not-private"],"dialect":"generic","table":"public.visits"}
WITH a AS (SELECT nullif(t."town", '') AS c1, nullif(t."street", '') AS c2, 0 AS x FROM "public"."visits" AS t)
SELECT part, cell, n0, count(*) OVER () AS total FROM (
SELECT CASE WHEN grouping(g0) = 0 AND grouping(g1) = 1 THEN 'rows.0' WHEN grouping(g0) = 1 AND grouping(g1) = 1 THEN 'rows' WHEN grouping(g0) = 1 AND grouping(g1) = 0 THEN 'rows.1' END AS part, CASE WHEN grouping(g0) = 0 AND grouping(g1) = 1 THEN hex(g0) WHEN grouping(g0) = 1 AND grouping(g1) = 0 THEN hex(g1) END AS cell, CAST(count(*) AS VARCHAR(100)) AS n0
FROM (SELECT c1 AS g0, c2 AS g1 FROM a) AS b GROUP BY GROUPING SETS ((g0), (), (g1)) HAVING (NOT (grouping(g0) = 0 AND grouping(g1) = 1) OR count(*) >= CAST(20 AS BIGINT))
UNION ALL SELECT 'query' AS part, '143c045b0cfc1b9053b05c82d35bea6c08225f1437ac6374b07ef01faccb4e2b' AS cell, CAST(NULL AS VARCHAR(100)) AS n0) AS s
