// Home: what the project is, its parts by role, where to start reading, how complete the index is. A function of one GetOverviewResponse.
import type { JSX } from "preact";
import { useContext } from "preact/hooks";
import { count, counted, lineRange, percent, shortName } from "../format";
import { EntityLink, Link, LinkContext } from "../links";
import { Badge, Text } from "../text";
import type { Dependency, EntryPoint, GetOverviewResponse, LanguageCount, Role, RoleFolder } from "../v1/repoquarry/v1/view_service_pb";
import { IndexState } from "./completeness";
import { entryPointQuery, More, packageQuery } from "./rest";

const MAX_ENTRY_POINTS = 6;
const MAX_DEPENDENCIES = 8;
const TITLES: Readonly<Record<string, string>> = { application: "Application", infrastructure: "Infrastructure", tests: "Tests", tools: "Tools" };

export function HomePicture({ answer }: { answer: GetOverviewResponse }): JSX.Element {
  const repository = shortName(answer.entity?.repository ?? "");
  const widest = Math.max(1, ...answer.roles.filter((role) => !isShort(role)).flatMap((role) => role.folders.map((folder) => Number(folder.lines))));
  const links = useContext(LinkContext);
  return (
    <div class="v-home">
      <div class="scroll parts">
        <Purpose answer={answer} />
        <h2>Folders by role <span class="t3">by who uses whom; tests and tools by name and manifest</span><span class="sp" /><Link class="s" href={links.folder(repository, "")}>Open the map</Link></h2>
        {answer.roles.map((role) => <RoleCard role={role} repository={repository} widest={widest} />)}
      </div>
      <div class="scroll start">
        <Reading answer={answer} />
        <EntryPoints points={answer.entryPoints} total={Number(answer.entryPointTotal)} all={links.query(repository, entryPointQuery(repository))} />
        <Dependencies all={links.query(repository, packageQuery(repository))} dependencies={answer.dependencies} language={answer.languages[0]?.language ?? ""} />
      </div>
      <IndexState answer={answer} />
    </div>
  );
}

function Purpose({ answer }: { answer: GetOverviewResponse }): JSX.Element {
  const basis = answer.basis?.repositories[0];
  const [readme] = answer.documents;
  const [first] = answer.languages;
  return (
    <header class="purpose">
      <div class="row">
        <h1 class="el"><Text text={answer.entity?.name ?? shortName(answer.entity?.repository ?? "")} /></h1>
        <span class="m t2">{(basis?.commit || basis?.revision || "").slice(0, 7)}</span>
        {languageShares(answer.languages).map((text) => <Badge>{text}</Badge>)}
      </div>
      <p class="lead">{answer.sentence !== "" ? <Text text={answer.sentence} /> : <>No README says what it is. {counted(answer.files, "file")} of {first === undefined ? "code" : languageName(first.language)}.</>} {readme !== undefined && <EntityLink entity={readme} name={readme.name || readme.path} class="s" />}</p>
    </header>
  );
}

const LANGUAGE_NAMES: Readonly<Record<string, string>> = { javascript: "JavaScript", typescript: "TypeScript", cpp: "C++", csharp: "C#", php: "PHP" };

function languageName(language: string): string {
  return LANGUAGE_NAMES[language] ?? language.charAt(0).toUpperCase() + language.slice(1);
}

function languageShares(languages: readonly LanguageCount[]): string[] {
  const total = languages.reduce((sum, each) => sum + Number(each.lines), 0);
  return languages.slice(0, 3).map((each) => `${languageName(each.language)} ${percent(Number(each.lines) / Math.max(total, 1))}`);
}

/** Return whether the folders of a role are named only, without their size. */
function isShort(role: Role): boolean {
  return role.name === "tests" || role.name === "tools";
}

function RoleCard({ role, repository, widest }: { role: Role; repository: string; widest: number }): JSX.Element {
  const cut = role.cut;
  return (
    <section class="card role" aria-label={TITLES[role.name] ?? role.name}>
      <h3>{TITLES[role.name] ?? role.name}<span class="t3 el" title={role.rule}>{role.rule}</span><span class="sp" /><span class="t3">{counted(role.files, "file")}, {counted(role.lines, "line")}</span></h3>
      {isShort(role)
        ? <ul class="short">{role.folders.map((folder) => <li class="row"><FolderLink folder={folder} repository={repository} /> <span class="t3">{counted(folder.files, "file")}</span></li>)}</ul>
        : <ul>{role.folders.map((folder) => <FolderRow folder={folder} repository={repository} widest={widest} />)}</ul>}
      {cut !== undefined && cut.shown < cut.total && <p class="s t3">{count(cut.shown)} of {counted(cut.total, "folder")}: {cut.rule}. The map has all.</p>}
    </section>
  );
}

function FolderLink({ folder, repository }: { folder: RoleFolder; repository: string }): JSX.Element {
  const name = folder.path === "" ? "(top folder)" : folder.path.split("/").slice(-2).join("/");
  return <Link class="m el" title={folder.path} href={useContext(LinkContext).folder(repository, folder.path)}><Text text={name} /></Link>;
}

function FolderRow({ folder, repository, widest }: { folder: RoleFolder; repository: string; widest: number }): JSX.Element {
  return (
    <li>
      <FolderLink folder={folder} repository={repository} />
      <span class="t2 el s" title={folder.names.join(", ")}><Text text={folder.names.join(", ")} /></span>
      <span class="bar"><i style={{ width: `${(100 * Number(folder.lines)) / widest}%` }} /></span>
      <span class="m number">{count(folder.lines)}</span>
    </li>
  );
}

function Reading({ answer }: { answer: GetOverviewResponse }): JSX.Element {
  return (
    <section aria-label="Start reading here">
      <h2>Start reading here</h2>
      {answer.reading.length === 0 && <p class="s t2">No class outside of tests has ten methods or more, and no script is declared.</p>}
      <ol class="reading-steps">
        {answer.reading.map((step, index) => step.entity !== undefined && (
          <li>
            <span class="step-number">{index + 1}</span>
            <div><div class="row"><EntityLink entity={step.entity} class="b" /><span class="m t3 xs el" title={lineRange(step.entity)}>{step.entity.path}:{String(step.entity.startLine)}</span></div><p class="s t2 el" title={step.why}><Text text={step.why} /></p></div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function EntryPoints({ points, total, all }: { points: readonly EntryPoint[]; total: number; all: string }): JSX.Element {
  return (
    <section aria-label="Entry points">
      <h2>Entry points</h2>
      {points.length === 0 && <p class="s t2">No route, console script or handler is known.</p>}
      <ul class="facts">
        {points.slice(0, MAX_ENTRY_POINTS).map((point) => {
          const [kind = "", ...rest] = point.how.split(/:\s*/);
          return <li class="row s" title={point.how}><Badge>{kind || "entry"}</Badge>{point.entity !== undefined && <EntityLink entity={point.entity} />}<span class="t3 m el"><Text text={rest.join(":")} /></span></li>;
        })}
      </ul>
      <More shown={MAX_ENTRY_POINTS} total={total} noun="entry point" href={all} />
    </section>
  );
}

const PACKAGE_PREFIX = /^package:(\w+)\//;

/** Return the registry's name in a package id such as `package:pypi/attrs`. */
function ecosystem(name: string): string {
  return PACKAGE_PREFIX.exec(name)?.[1] ?? "package";
}

const ECOSYSTEMS: Readonly<Record<string, string>> = { python: "pypi", javascript: "npm", typescript: "npm", java: "maven", go: "go", rust: "cargo" };

/** Dependencies, those of the main language first. */
function Dependencies({ dependencies, language, all }: { dependencies: readonly Dependency[]; language: string; all: string }): JSX.Element {
  const links = useContext(LinkContext);
  const isMain = (each: Dependency): boolean => ecosystem(each.package) === ECOSYSTEMS[language];
  const sorted = [...dependencies].sort((a, b) => Number(isMain(b)) - Number(isMain(a)));
  return (
    <section aria-label="Depends on">
      <h2>Depends on</h2>
      {dependencies.length === 0 && <p class="s t2">No dependency is declared.</p>}
      <ul class="facts">
        {sorted.slice(0, MAX_DEPENDENCIES).map((each) => (
          <li class="row s"><Badge>{ecosystem(each.package)}</Badge><Link class="m el" href={each.repository === "" ? "" : links.repository(each.repository)}><Text text={each.package.replace(PACKAGE_PREFIX, "")} /></Link><span class="t3 m el">{each.requirement}</span>{each.repository !== "" && <span class="t3">indexed here</span>}</li>
        ))}
      </ul>
      <More shown={MAX_DEPENDENCIES} total={dependencies.length} noun="package" href={all} />
    </section>
  );
}

