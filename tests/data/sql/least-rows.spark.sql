-- dosimeter 1 {"statistics":["histogram town","count","histogram street"],"settings":["unknown-cells town","unknown-cells street","min-count town:20","not-private"],"dialect":"spark","table":"public.visits"}
WITH a AS (SELECT nullif(CAST(t.`town` AS BINARY), X'') AS c1, nullif(CAST(t.`street` AS BINARY), X'') AS c2, 0 AS x FROM `public`.`visits` AS t)
SELECT part, cell, n0, count(*) OVER () AS total FROM (
SELECT part, cell, n0 FROM (SELECT CASE WHEN grouping(g0) = 0 AND grouping(g1) = 1 THEN 'rows.0' WHEN grouping(g0) = 1 AND grouping(g1) = 1 THEN 'rows' WHEN grouping(g0) = 1 AND grouping(g1) = 0 THEN 'rows.1' END AS part, CASE WHEN grouping(g0) = 0 AND grouping(g1) = 1 THEN hex(g0) WHEN grouping(g0) = 1 AND grouping(g1) = 0 THEN hex(g1) END AS cell, CAST(count(*) AS STRING) AS n0, count(*) AS m
FROM (SELECT c1 AS g0, c2 AS g1 FROM a) AS b GROUP BY GROUPING SETS ((g0), (), (g1))) AS k WHERE (part <> 'rows.0' OR m >= CAST(20 AS BIGINT))
UNION ALL SELECT 'query' AS part, 'e1fa191c145b01b2f93a09a99a651955e36283cdc264d1a3b4d2210a2f97b110' AS cell, CAST(NULL AS STRING) AS n0) AS s
