// View of a file: pages of lines around the line of the address.
import type { JSX } from "preact";
import { useAnswer } from "../answer";
import { AnswerFrame } from "../frame/answer_frame";
import { CopyLink } from "../frame/toast";
import { setOptions } from "../route";
import { views } from "../services";
import type { GetFileResponse } from "../v1/repoquarry/v1/view_service_pb";
import { FilePicture } from "./file_picture";

const PAGE_LINES = 400;

interface FileViewProps {
  repository: string;
  path: string;
  parameters: URLSearchParams;
}

export function FileView({ repository, path, parameters }: FileViewProps): JSX.Element {
  const line = Math.max(0, Number.parseInt(parameters.get("line") ?? "0", 10) || 0);
  const firstLine = Math.floor(Math.max(0, line - 1) / PAGE_LINES) * PAGE_LINES + 1;
  const request = { repository: `repositories/${repository}`, path, firstLine: BigInt(firstLine), lines: PAGE_LINES };
  const [answer, retry] = useAnswer(`file ${repository} ${path} ${firstLine}`, (signal) => views.getFile(request, { signal }));
  const onLine = (number: number): void => setOptions({ line: number > 1 ? String(number) : "" });
  return (
    <AnswerFrame answer={answer} onRetry={retry} rows={20}>
      {(value) => <FilePicture answer={value} line={line} onLine={onLine} actions={<CopyLink />} pager={<Pager answer={value} onLine={onLine} />} />}
    </AnswerFrame>
  );
}

/** Buttons to the lines before and behind those that are shown. */
function Pager({ answer, onLine }: { answer: GetFileResponse; onLine: (line: number) => void }): JSX.Element | null {
  const source = answer.source;
  if (source === undefined || source.lines.length >= Number(source.totalLines)) return null;
  const [first, last] = [Number(source.startLine), Number(source.endLine)];
  return (
    <>
      <button class="pager" disabled={first <= 1} onClick={() => onLine(first - PAGE_LINES)}>‹ {PAGE_LINES} lines</button>
      <button class="pager" disabled={last >= Number(source.totalLines)} onClick={() => onLine(last + 1)}>{PAGE_LINES} lines ›</button>
    </>
  );
}
