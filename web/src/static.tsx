// Entry of the static file: the response in the document becomes the same picture, without a server.
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { render, type JSX } from "preact";
import { useState } from "preact/hooks";
import { ChangePicture } from "./change/change_picture";
import { BasisBar } from "./frame/basis_bar";
import { applySystemTheme } from "./frame/theme";
import { LinkContext, NO_LINKS } from "./links";
import type { CertaintyClass } from "./format";
import { SymbolPicture } from "./symbol/symbol_picture";
import { GetChangeResponseSchema, GetSymbolResponseSchema, GroupKind, type GetChangeResponse, type GetSymbolResponse } from "./v1/repoquarry/v1/view_service_pb";
import "./styles/page.css";

function StaticChange({ answer, range }: { answer: GetChangeResponse; range: string }): JSX.Element {
  const [tier, setTier] = useState("");
  return <ChangePicture answer={answer} range={range} tier={tier} onTier={setTier} onCopy={(text) => void navigator.clipboard.writeText(text)} />;
}

function StaticSymbol({ answer }: { answer: GetSymbolResponse }): JSX.Element {
  const [hidden, setHidden] = useState<ReadonlySet<CertaintyClass>>(new Set());
  const [isOpen, setOpen] = useState(false);
  const tests = answer.callers?.groups.find((group) => group.kind === GroupKind.TESTS);
  const groups = new Map(isOpen && tests !== undefined ? [[tests.key, tests.rows] as const] : []);
  const hide = (kind: CertaintyClass): void => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    setHidden(next);
  };
  return <SymbolPicture answer={answer} opened={{ hops: new Map(), groups }} hidden={hidden} onHide={hide} onHop={() => undefined} onGroup={() => setOpen(!isOpen)} />;
}

function start(): void {
  const block = document.getElementById("response");
  const main = document.querySelector("main");
  if (block === null || main === null) return;
  const json = JSON.parse(block.textContent ?? "null") as JsonValue;
  const isChange = block.dataset["entry"] === "change";
  const change = isChange ? fromJson(GetChangeResponseSchema, json) : null;
  const symbol = isChange ? null : fromJson(GetSymbolResponseSchema, json);
  main.replaceChildren();
  document.body.classList.add("drawn");
  applySystemTheme();
  render(
    <LinkContext.Provider value={NO_LINKS}>
      {change !== null && <StaticChange answer={change} range={block.dataset["range"] ?? ""} />}
      {symbol !== null && <StaticSymbol answer={symbol} />}
      <BasisBar basis={change?.basis ?? symbol?.basis ?? null} failure="" />
    </LinkContext.Provider>,
    main,
  );
}

start();
