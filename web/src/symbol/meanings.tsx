// All meanings of an ambiguous name, as a page: nothing is chosen silently.
import type { JSX } from "preact";
import { counted, kindWord, place } from "../format";
import { EntityLink } from "../links";
import { Badge, Text } from "../text";
import type { Meaning } from "../v1/repoquarry/v1/code_service_pb";

export function Meanings({ name, meanings }: { name: string; meanings: readonly Meaning[] }): JSX.Element {
  return (
    <div class="plain-page">
      <h1><Text text={name} /> has {counted(meanings.length, "meaning")}</h1>
      <ul class="card list">
        {meanings.map((meaning) => meaning.entity !== undefined && (
          <li class="row"><Badge>{kindWord(meaning.entity)}</Badge><EntityLink entity={meaning.entity} class="b" /><span class="m t3 el">{place(meaning.entity)}</span><span class="sp" /><span class="t3 s el"><Text text={meaning.entity.summary} /></span></li>
        ))}
      </ul>
    </div>
  );
}
