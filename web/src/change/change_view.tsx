// View of a change: its request, its options and its keys.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { JSX } from "preact";
import { useAnswer } from "../answer";
import { AnswerFrame } from "../frame/answer_frame";
import { ExportButton } from "../frame/export";
import { useKeys } from "../frame/keys";
import { copyText } from "../frame/toast";
import { count } from "../format";
import { setOptions } from "../route";
import { views } from "../services";
import type { GetChangeRequestSchema, GetChangeResponse } from "../v1/repoquarry/v1/view_service_pb";
import { ChangePicture } from "./change_picture";
import { chosenTier, commandText } from "./consequences";
import { formatMarkdown } from "./markdown";

interface ChangeViewProps {
  repository: string;
  range: string;
  parameters: URLSearchParams;
}

export function ChangeView({ repository, range, parameters }: ChangeViewProps): JSX.Element {
  const request = { repository: `repositories/${repository}`, range: range === "worktree" ? "" : range };
  const [answer, retry] = useAnswer(`change ${repository} ${range}`, (signal, onProgress) => loadChange(request, signal, onProgress));
  return (
    <AnswerFrame answer={answer} onRetry={retry} rows={10}>
      {(value) => <OpenChange answer={value} range={range} tier={parameters.get("tests") ?? ""} />}
    </AnswerFrame>
  );
}

/** Return the change that a stream ends with; report each stage before it. */
async function loadChange(change: MessageInitShape<typeof GetChangeRequestSchema>, signal: AbortSignal, onProgress: (text: string) => void): Promise<GetChangeResponse> {
  for await (const { part } of views.streamChange({ change }, { signal })) {
    if (part.case === "change") return part.value;
    if (part.case === "progress") onProgress(`Reading ${part.value.stage}${part.value.total > 0n ? `, ${count(part.value.done + 1n)} of ${count(part.value.total)}` : ""}.`);
  }
  throw new ConnectError("the stream ended without a change", Code.Unavailable);
}

function OpenChange({ answer, range, tier }: { answer: GetChangeResponse; range: string; tier: string }): JSX.Element {
  const copyCommand = (): void => void copyText(commandText(chosenTier(answer.tests, tier)), "Command");
  const copyMarkdown = (): void => void copyText(formatMarkdown(answer, tier, location.href), "Markdown");
  useKeys({ c: copyCommand, m: copyMarkdown, "[": () => stepCard(-1), "]": () => stepCard(1) });
  return (
    <ChangePicture
      answer={answer} range={range === "worktree" ? "working tree" : range} tier={tier}
      onTier={(name) => setOptions({ tests: name })} onCopy={copyCommand}
      actions={<><button onClick={copyMarkdown}>Copy as Markdown <kbd>m</kbd></button><ExportButton message={answer} entry="change" range={range} name={`change-${range}`} /></>}
    />
  );
}

/** Focus the card before or behind the focused one. */
function stepCard(step: number): void {
  const cards = [...document.querySelectorAll<HTMLElement>(".change-card")];
  const current = cards.findIndex((card) => card.contains(document.activeElement));
  const next = cards[Math.max(0, Math.min(current + step, cards.length - 1))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
