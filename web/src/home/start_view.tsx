// Start: the repositories of the store.
import type { JSX } from "preact";
import { useAnswer } from "../answer";
import { AnswerFrame } from "../frame/answer_frame";
import { counted, shortName } from "../format";
import { PAGE_LINKS } from "../links";
import { repositories } from "../services";
import { Badge, Text } from "../text";
import type { ListRepositoriesResponse } from "../v1/repoquarry/v1/repository_service_pb";

type Listed = ListRepositoriesResponse & { readonly basis?: undefined };

export function StartView(): JSX.Element {
  const [answer, retry] = useAnswer<Listed>("repositories", (signal) => repositories.listRepositories({ pageSize: 100 }, { signal }));
  return (
    <AnswerFrame answer={answer} onRetry={retry} rows={6}>
      {(value) => (
        <div class="plain-page">
          <h1>Repositories</h1>
          {value.repositories.length === 0 && <><p class="t2">No repository is indexed yet. Index a folder with:</p><pre class="command">repoquarry index .</pre></>}
          <ul class="card list" hidden={value.repositories.length === 0}>
            {value.repositories.map((each) => (
              <li class="row">
                <a class="b" href={PAGE_LINKS.repository(each.name)}><Text text={each.displayName || shortName(each.name)} /></a>
                <span class="m t3">{(each.commit || each.revision).slice(0, 7)}</span>
                {each.languages.slice(0, 3).map((language) => <Badge>{language}</Badge>)}
                <span class="t2 s el"><Text text={each.summary} /></span>
                <span class="sp" />
                <span class="t3 s">{counted(each.files, "file")}, {counted(each.lines, "line")}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </AnswerFrame>
  );
}
