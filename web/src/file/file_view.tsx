// View of a file: pages of lines, loaded when they are scrolled to.
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { AnswerFrame } from "../frame/answer_frame";
import { serviceFailure } from "../frame/basis_bar";
import { CopyLink } from "../frame/toast";
import { setOptions } from "../route";
import { describeFailure, views } from "../services";
import type { GetFileResponse } from "../v1/repoquarry/v1/view_service_pb";
import { FilePicture } from "./file_picture";

const PAGE_LINES = 400;

interface FileViewProps {
  repository: string;
  path: string;
  parameters: URLSearchParams;
}

type LoadPage = (line: number, signal?: AbortSignal) => Promise<GetFileResponse>;

export function FileView({ repository, path, parameters }: FileViewProps): JSX.Element {
  const line = Math.max(0, Number.parseInt(parameters.get("line") ?? "0", 10) || 0);
  const load: LoadPage = (number, signal) =>
    views.getFile({ repository: `repositories/${repository}`, path, firstLine: BigInt(pageStart(number)), lines: PAGE_LINES }, signal === undefined ? {} : { signal });
  const [answer, retry] = useAnswer(`file ${repository} ${path}`, (signal) => load(line, signal));
  return (
    <AnswerFrame answer={answer} onRetry={retry} rows={20}>
      {(value) => <OpenFile key={path} answer={value} line={line} load={load} />}
    </AnswerFrame>
  );
}

/** Return the first line of the page that has a line. */
function pageStart(line: number): number {
  return Math.floor(Math.max(0, line - 1) / PAGE_LINES) * PAGE_LINES + 1;
}

function OpenFile({ answer, line, load }: { answer: GetFileResponse; line: number; load: LoadPage }): JSX.Element {
  const [pages, setPages] = useState<readonly GetFileResponse[]>([answer]);
  const requested = useRef(new Set([pageStart(Number(answer.source?.startLine ?? 1n))]));
  const loadPage = (start: number): void => {
    requested.current.add(start);
    load(start).then(
      (page) => setPages((held) => [...held, page]),
      (error: unknown) => {
        requested.current.delete(start);
        serviceFailure.value = describeFailure(error).title;
      },
    );
  };
  const onShow = (first: number, last: number): void => {
    for (let start = pageStart(first); start <= last; start += PAGE_LINES) if (!requested.current.has(start)) loadPage(start);
  };
  const onLine = (number: number): void => setOptions({ line: number > 1 ? String(number) : "" });
  return <FilePicture pages={pages} line={line} onLine={onLine} onShow={onShow} actions={<CopyLink />} />;
}
