// Rows of a query as they stream: count runs, rows stay where they are.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { count, counted, seconds } from "../format";
import { Text } from "../text";
import type { ResultSummary, Row } from "../v1/repoquarry/v1/query_service_pb";
import { isNumber, plainValue, ValueCell, valueText } from "./values";

const PAGE_ROWS = 200;

/** What has arrived of a result. */
export interface StreamedResult {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly summary: ResultSummary | null;
}

function compareRows(column: number): (a: Row, b: Row) => number {
  return (a, b) => {
    const [x, y] = [a.values[column], b.values[column]];
    if (isNumber(x) && isNumber(y)) return Number(plainValue(x)) - Number(plainValue(y));
    return valueText(x).localeCompare(valueText(y));
  };
}

function csvField(text: string): string {
  // A leading sign would be a formula in spreadsheets.
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function formatCsv(result: StreamedResult): string {
  const lines = [result.columns.map(csvField), ...result.rows.map((row) => row.values.map((value) => csvField(valueText(value))))];
  return lines.map((fields) => `${fields.join(",")}\r\n`).join("");
}

export function formatJsonLines(result: StreamedResult): string {
  return result.rows.map((row) => `${JSON.stringify(Object.fromEntries(result.columns.map((name, index) => [name, plainValue(row.values[index])])))}\n`).join("");
}

function download(text: string, type: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function ResultTable({ result }: { result: StreamedResult }): JSX.Element {
  const [sort, setSort] = useState<{ column: number; isDescending: boolean } | null>(null);
  const [page, setPage] = useState(0);
  const sorted = sort === null ? result.rows : [...result.rows].sort((a, b) => compareRows(sort.column)(a, b) * (sort.isDescending ? -1 : 1));
  const shown = sorted.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
  const sortBy = (column: number): void => setSort({ column, isDescending: sort?.column === column ? !sort.isDescending : isNumber(result.rows[0]?.values[column]) });
  return (
    <div class="result">
      <div class="row">
        <b>{counted(result.rows.length, "row")}</b><SummaryLine result={result} />
        <span class="sp" />
        {result.rows.length > PAGE_ROWS && <><button disabled={page === 0} onClick={() => setPage(page - 1)}>‹</button><span class="s t3">rows {page * PAGE_ROWS + 1} to {Math.min((page + 1) * PAGE_ROWS, sorted.length)}</span><button disabled={(page + 1) * PAGE_ROWS >= sorted.length} onClick={() => setPage(page + 1)}>›</button></>}
        <button disabled={result.rows.length === 0} onClick={() => download(formatCsv(result), "text/csv", "rows.csv")}>CSV</button>
        <button disabled={result.rows.length === 0} onClick={() => download(formatJsonLines(result), "application/jsonl", "rows.jsonl")}>JSONL</button>
      </div>
      {result.rows.length > 0 && (
        <div class="scroll card table" tabIndex={0} role="region" aria-label="Rows">
          <table>
            <thead><tr><td class="row-number" />{result.columns.map((name, column) => (
              <th scope="col" class={isNumber(result.rows[0]?.values[column]) ? "number" : ""} aria-sort={sort?.column === column ? (sort.isDescending ? "descending" : "ascending") : "none"}><button class="plain" onClick={() => sortBy(column)}><Text text={name} />{sort?.column === column ? (sort.isDescending ? " ▾" : " ▴") : ""}</button></th>
            ))}</tr></thead>
            <tbody>{shown.map((row, index) => <tr><td class="row-number">{count(page * PAGE_ROWS + index + 1)}</td>{row.values.map((value) => <ValueCell value={value} />)}</tr>)}</tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function SummaryLine({ result }: { result: StreamedResult }): JSX.Element {
  const summary = result.summary;
  if (summary === null) return <span class="t2 s">running…</span>;
  const cut = summary.truncated ? ` Stopped by the limit of ${summary.truncatedBy}, so there are more.` : "";
  const empty = result.rows.length === 0 && summary.warnings.length === 0 ? " No rows. All labels, relationships and properties exist." : "";
  return <span class="t2 s">{seconds(summary.seconds)}.{cut}{empty} {summary.warnings.map((warning) => <span class="warning"><Text text={warning} /> </span>)}</span>;
}
