// Consequences of a change: tests to run, what it reaches, other repositories, limits of the answer.
import type { JSX } from "preact";
import { count, counted, displayName, place, shortName } from "../format";
import { EntityLink, LinkContext, Link } from "../links";
import { EdgeCertainty } from "../marks";
import { Text } from "../text";
import { useContext } from "preact/hooks";
import type { GetChangeResponse, Reach, TestTier } from "../v1/repoquarry/v1/view_service_pb";

const TIER_WORDS: Readonly<Record<string, (files: string) => string>> = {
  close: (files) => `${files} close`,
  calls: (files) => `${files} call it`,
  all: (files) => `all ${files}`,
};

/** Return the chosen tier, or the first that has files. */
export function chosenTier(tiers: readonly TestTier[], name: string): TestTier | undefined {
  return tiers.find((tier) => tier.name === name) ?? tiers.find((tier) => tier.files > 0n) ?? tiers[0];
}

export function commandText(tier: TestTier | undefined): string {
  return tier?.commands.join("\n") ?? "";
}

interface TestsProps {
  tiers: readonly TestTier[];
  tier: string;
  onTier: (name: string) => void;
  onCopy: (text: string) => void;
}

export function TestsBox({ tiers, tier, onTier, onCopy }: TestsProps): JSX.Element {
  const chosen = chosenTier(tiers, tier);
  const all = tiers.at(-1);
  if (chosen === undefined || all === undefined || all.files === 0n) {
    return <section aria-label="Tests to run"><h2>Tests to run</h2><p class="s t2">No tests reach the change by calls.</p></section>;
  }
  const command = commandText(chosen);
  return (
    <section aria-label="Tests to run">
      <h2>Tests to run</h2>
      <p class="s t2"><b>{count(chosen.files)} of {count(all.files)}</b> test files: {chosen.meaning}{chosen.tests > 0n ? ` (${counted(chosen.tests, "test")})` : ""}.</p>
      <pre class="command" tabIndex={0} aria-label="Command">{wrapCommand(command)}</pre>
      <div class="row">
        <button onClick={() => onCopy(command)}>Copy <kbd>c</kbd></button>
        <div class="segments" role="group" aria-label="Size">
          {tiers.map((each) => <button aria-pressed={each === chosen} title={each.meaning} onClick={() => onTier(each.name)}>{TIER_WORDS[each.name]?.(count(each.files)) ?? `${count(each.files)} ${each.name}`}</button>)}
        </div>
      </div>
    </section>
  );
}

/** Return a command with one file a line, as a shell reads it. */
function wrapCommand(command: string): string {
  return command.split("\n").map((line) => (line.length < 48 ? line : line.replaceAll(/ (?=\S+\/\S+)/g, " \\\n  "))).join("\n");
}

export function ReachBars({ reach }: { reach: readonly Reach[] }): JSX.Element {
  const total = reach.reduce((sum, each) => sum + Number(each.definitions), 0);
  const expected = reach.reduce((sum, each) => sum + each.expected, 0);
  const largest = Math.max(1, ...reach.map((each) => Number(each.definitions)));
  if (total === 0) return <section aria-label="Affected definitions"><h2>Affected definitions</h2><p class="s t2">No call leads to a changed definition from outside.</p></section>;
  return (
    <section aria-label="Affected definitions">
      <h2>Affected definitions</h2>
      <p class="s t2"><b>{count(total)}</b> {total === 1 ? "definition" : "definitions"} within {counted(reach.length, "call")}; about <b>{count(Math.round(expected))}</b> expected by confidence.</p>
      <ul class="reach s">
        <li class="t3 xs"><span class="reach-head">calls away</span><span /><span /><span>such as</span></li>
        {reach.map((each) => (
          <li title={each.names.map(displayName).join("\n")}>
            <span class="m">{each.hops}</span>
            <span class="reach-bar"><i style={{ width: `${(100 * Number(each.definitions)) / largest}%` }} /><b style={{ width: `${(100 * each.expected) / largest}%` }} /></span>
            <span class="m r">{count(each.definitions)}</span>
            <span class="m el t2"><Text text={each.names.map(displayName).join(", ")} /></span>
          </li>
        ))}
      </ul>
      <p class="xs t3"><i class="key solid" /> expected <i class="key outlined" /> possible at most</p>
    </section>
  );
}

export function OtherRepositories({ answer }: { answer: GetChangeResponse }): JSX.Element {
  const links = useContext(LinkContext);
  return (
    <section aria-label="Other repositories">
      <h2>Other repositories</h2>
      {answer.repositories.length === 0 && <p class="s t2">No other indexed repository uses what changed.</p>}
      {answer.repositories.map((each) => (
        <>
          <p class="s"><Link class="b" href={links.repository(each.repository)}>{shortName(each.repository)}</Link>: {counted(each.total, "place is", "places are")} affected.</p>
          {each.places.map((neighbor) => neighbor.entity !== undefined && (
            <>
              <p class="s row"><EntityLink entity={neighbor.entity} /><span class="sp" /><EdgeCertainty edge={neighbor} /></p>
              <p class="xs t3 m">{place(neighbor.entity)}</p>
            </>
          ))}
        </>
      ))}
    </section>
  );
}

export function AnswerLimits({ answer }: { answer: GetChangeResponse }): JSX.Element {
  const [basis] = answer.basis?.repositories ?? [];
  const calls = basis?.unresolvedCalls;
  const relevant = calls?.relevant ?? 0n;
  const words = calls === undefined ? "" : relevant === 0n ? `None of the ${count(calls.total)} unresolved calls has a changed name.`
    : `${count(relevant)} of ${count(calls.total)} unresolved calls have a changed name: ${calls.names.slice(0, 4).map((each) => each.name).join(", ")}.`;
  const skipped = Number(basis?.leftOutCount ?? 0);
  const reasons = basis?.leftOutReasons.slice(0, 3).map((each) => `${each.reason} ${count(each.count)}`).join(", ") ?? "";
  return (
    <section aria-label="Limits of this answer">
      <h2>Limits of this answer</h2>
      <p class="s t2">{words} {skipped > 0 ? `${counted(skipped, "file")} skipped (${reasons}).` : "No file was skipped."}{answer.unknownPaths.length > 0 && ` Not indexed: ${answer.unknownPaths.slice(0, 4).join(", ")}${answer.unknownPaths.length > 4 ? `, ${answer.unknownPaths.length - 4} more` : ""}.`}</p>
      {answer.cut !== undefined && answer.cut.shown < answer.cut.total && <p class="s t2">{count(answer.cut.shown)} of {count(answer.cut.total)} changed definitions: {answer.cut.rule}.</p>}
    </section>
  );
}
