/*
 * The style of the page: one column of sheets on a screen, light or dark; on
 * paper no frames, an appendix that starts on a page of its own, and nothing
 * that is parted between two pages but long tables.
 */
#include "report_page.h"

static const char screen[] =
    ":root{color-scheme:light dark;--ink:#1c2024;--soft:#51585f;"
    "--page:#eef1f4;--card:#fff;--line:#d5dae0;--accent:#0b5fa5;"
    "--row:#f5f7f9;--warn:#fff3dc;--warn-line:#b45309;--warn-ink:#5f3204}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);"
    "font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "main{max-width:960px;margin:0 auto;padding:24px 16px 48px}\n"
    "h1{font-size:20px;line-height:1.3;margin:0;color:var(--soft);"
    "font-weight:600}\n"
    "h2{font-size:21px;line-height:1.3;margin:0 0 12px}\n"
    "h3{font-size:17px;line-height:1.35;margin:28px 0 8px}\n"
    "p{margin:8px 0}\n"
    "ul{margin:8px 0;padding-left:22px}\n"
    "li{margin:4px 0}\n"
    "section,header{background:var(--card);border:1px solid var(--line);"
    "border-radius:10px;padding:24px 28px;margin:0 0 16px}\n"
    ".headline{font-size:27px;font-weight:600;line-height:1.32;"
    "margin:12px 0 20px;text-wrap:pretty}\n"
    ".soft{color:var(--soft);font-size:15px}\n"
    ".warn{background:var(--warn);border-color:var(--warn-line);"
    "border-left-width:8px;color:var(--warn-ink)}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 20px;"
    "margin:0;font-size:15px}\n"
    "dt{color:var(--soft)}\n"
    "dd{margin:0}\n"
    ".tiles{display:grid;grid-template-columns:repeat(3,1fr);gap:16px;"
    "margin:16px 0}\n"
    ".tile{border:1px solid var(--line);border-radius:8px;padding:14px 16px}\n"
    ".tile h3{margin:0;font-size:15px}\n"
    ".tile p{margin:8px 0 0;font-size:15px}\n"
    ".tile .figure{font-size:29px;font-weight:650;line-height:1.2;"
    "color:var(--accent);margin:4px 0 8px}\n"
    ".figure span{font-size:15px;font-weight:400}\n"
    "svg.bar{display:block;width:100%;height:9px}\n"
    "svg .rail{fill:var(--line)}\n"
    "code,pre{font:14px/1.5 ui-monospace,monospace}\n"
    "pre{white-space:pre-wrap;background:var(--row);border:1px solid "
    "var(--line);border-radius:6px;padding:10px 12px;margin:8px 0}\n"
    "table{border-collapse:collapse;width:100%;font-size:15px}\n"
    "th,td{text-align:left;vertical-align:top;padding:8px 14px 8px 0;"
    "border-bottom:1px solid var(--line);font-weight:400}\n"
    "th:last-child,td:last-child{padding-right:0}\n"
    "thead th{font-weight:600;color:var(--soft)}\n"
    ".n{font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "th.n,td.n{text-align:right}\n"
    "td.n span{white-space:nowrap}\n"
    ".best{font-weight:600}\n"
    ".parts svg.bar{margin-top:5px}\n"
    ".curves{display:grid;grid-template-columns:1fr 1fr;gap:20px}\n"
    "figure{margin:0}\n"
    "figure svg{display:block;width:100%;height:auto;max-width:560px;"
    "border:1px solid var(--line);border-radius:6px}\n"
    "figcaption{font-size:15px;margin:8px 0 0}\n"
    ".curves figure:last-child:nth-child(odd){grid-column:1/-1;"
    "display:grid;grid-template-columns:1fr 1fr;gap:20px;"
    "align-items:center}\n";

static const char narrow[] =
    "@media screen and (max-width:640px){\n"
    "main{padding:10px 8px 32px}\n"
    "section,header{padding:18px 16px;border-radius:8px}\n"
    ".headline{font-size:21px}\n"
    ".tiles,.curves,.curves figure:last-child:nth-child(odd)"
    "{grid-template-columns:1fr}\n"
    ".curves figure:last-child:nth-child(odd){gap:0}\n"
    "dl{grid-template-columns:1fr;gap:0}\n"
    "dd{margin:0 0 8px}\n"
    "th,td{padding-right:10px}\n"
    "tr{display:grid;border-bottom:1px solid var(--line)}\n"
    "th,td{border:0}\n"
    "th:first-child{grid-column:1/-1;padding-bottom:0}\n"
    ".parts tr{grid-template-columns:1fr 1fr 1fr}\n"
    "}\n";

static const char dark[] =
    "@media screen and (prefers-color-scheme:dark){\n"
    ":root{--ink:#e6e8eb;--soft:#a9b0ba;--page:#0e1013;--card:#15181d;"
    "--line:#343a43;--accent:#6cb6ff;--row:#1b1f26;--warn:#2b2110;"
    "--warn-line:#d08a2a;--warn-ink:#f6dfb6}\n"
    "}\n";

static const char paper[] =
    "@media print{\n"
    "@page{size:A4;margin:17mm 16mm}\n"
    "body{background:none;font-size:10.5pt;line-height:1.45}\n"
    "main{max-width:none;padding:0}\n"
    "section,header{border:0;border-radius:0;padding:0;margin:0 0 18pt}\n"
    "section.warn{border:1.5pt solid #b45309;border-left-width:6pt;"
    "padding:8pt 12pt;background:none}\n"
    "h1{font-size:12pt}\n"
    ".headline{font-size:18pt;margin:6pt 0 12pt}\n"
    "h2{font-size:14pt;border-bottom:1pt solid #999;padding-bottom:2pt;"
    "margin:0 0 6pt}\n"
    ".warn h2{border:0;padding:0}\n"
    "h3{font-size:11.5pt;margin:14pt 0 4pt}\n"
    ".tile .figure{font-size:20pt}\n"
    ".tile h3,.tile p,.figure span,.soft,dl,table,figcaption{font-size:9.5pt}\n"
    "code,pre{font-size:8.5pt}\n"
    "h1,h2,h3,thead{break-after:avoid}\n"
    "header,.tile,.warn,figure,tr,li,pre{break-inside:avoid}\n"
    ".appendix{break-before:page}\n"
    "p,li{orphans:3;widows:3}\n"
    "}\n";

void report_style_write(FILE *out)
{
    fprintf(out, "<style>\n%s%s%s%s", screen, narrow, dark, paper);
    svg_write_style(out);
    fputs("</style>\n", out);
}
