"""Table of the questions that are answered without a model. An intent is one record: its phrases, its plan and its answer.

A clause is read as words around one subject, written `X` in the patterns. An intent applies only if one of its patterns matches and every
other word of the clause is a function word or a word of the intent: a clause with further content asks something else.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass

from repoquarry.agent.questions.code_answers import (
    answer_complexity,
    answer_cycles,
    answer_definition,
    answer_entry_points,
    answer_owners,
    answer_raised,
    answer_raises,
    answer_summary,
    answer_uncalled,
    answer_value,
)
from repoquarry.agent.questions.relation_answers import (
    answer_bases,
    answer_callees,
    answer_callers,
    answer_impact,
    answer_implementations,
    answer_tests,
    answer_uses,
)
from repoquarry.agent.questions.reply import QuestionScope, Reply, Subject


class SubjectKind(enum.Enum):
    """Required kind of subject of a question."""

    DEFINITION = "definition"
    DEFINITION_OR_EXTERNAL = "definition or external code"
    OPTIONAL = "definition, or nothing for the whole repository"
    NONE = "nothing"
    WORDS = "words"


@dataclass(frozen=True)
class Intent:
    """One question that can be asked."""

    name: str
    example: str
    plan: str
    words: frozenset[str]
    """Words that the question may contain besides function words."""
    variants: tuple[tuple[re.Pattern[str], Callable[[QuestionScope, Subject], Reply]], ...]
    """(pattern of the clause with `X` for its subject, answer), the narrower patterns first."""
    subject: SubjectKind = SubjectKind.DEFINITION


def split_words(text: str) -> frozenset[str]:
    """Split a list of words at spaces."""
    return frozenset(text.split())


FUNCTION_WORDS = split_words("""
    a an the this that these those it its they them their there here i we you me my our us one someone anybody anyone everybody who whom
    whose what which where when how why is are was were be been being am do does did done can could will would shall should may might must
    has have had of in on at to for from by with within inside into across as about and or if any all every each some also now ever
    please show list find give tell print get see know want need like name display identify let's let code codebase project repository
    repo package library source function functions method methods class classes module modules file files definition definitions symbol
    symbols place places thing things everything everywhere anywhere exactly currently directly actually really gets get getting got
    between itself already still whether repositories repos packages projects
    internally safely together overall anything something thing nothing much kind cases case tell people person
""")


def _intent(
    name: str,
    example: str,
    plan: str,
    words: str,
    *variants: tuple[str, Callable[[QuestionScope, Subject], Reply]],
    subject: SubjectKind = SubjectKind.DEFINITION,
) -> Intent:
    compiled = tuple((re.compile(pattern), answer) for pattern, answer in variants)
    return Intent(name, example, plan, split_words(words), compiled, subject)


_CALL = r"(?:calls?|called|calling|invokes?|invoked|invoking)"
_USE = r"(?:uses?|used|using|usages?|references?|referenced|referencing|refers?|referring|mentions?|mentioned|imports?|imported|importing)"
_DO = r"(?:does|do|did|can|will|would|may|might|is)"
_EXTENDS = r"(?:implement\w*|overrid\w*|extend\w*|inherit\w*|derive\w*|subclass\w*|descend\w*)"
_RAISES = r"(?:raises?|raised|raising|throws?|threw|thrown|throwing)"

INTENTS: tuple[Intent, ...] = (
    _intent(
        "uncalled", "which functions are never called?", "list functions that nothing is known to reach",
        "never called used not unused dead unreachable unreferenced uncalled nobody nothing without no"
        " callers calls uses invoked reached anything nowhere delete deleted remove removed",
        (r"\b(?:never|not|nobody|nothing|un\w+|dead|without|no)\b|\b(?:delete|remove) (?:any|some)\b", answer_uncalled),
        subject=SubjectKind.NONE,
    ),
    _intent(
        "cycles", "are there import cycles?", "list modules that import one another",
        "import imports importing circular cyclic cycle cycles cyclical cyclically circularly depend depends dependency dependencies"
        " loop loops circle"
        " circles other another exist contain rings modules",
        (r"\b(?:circular\w*|cycl\w+|import loops?|dependency loops?|import rings?)\b|\bimport (?:each other|one another)\b", answer_cycles),
        subject=SubjectKind.NONE,
    ),
    _intent(
        "entry points", "what are the entry points?", "list entry points and console scripts",
        "entry point points entrypoint entrypoints entry-point entry-points console script scripts command commands cli main executable executables"
        " program programs start starts started execution begin begins install installs installed define defines defined line expose exposes"
        " exposed provide provides provided launch launched run runs executed first",
        (r"entry[- ]?points?|console scripts?|\bscripts\b|\bcommands\b|\bexecutables?\b|\bmain (?:function|program|script|file|module)"
         r"|\b(?:start|starts|started|begin|begins|launched?)\b|\bcommand line\b|\b(?:executed|runs?) first\b", answer_entry_points),
        subject=SubjectKind.NONE,
    ),
    _intent(
        "complexity", "which functions are the most complex?", "rank functions by their branches",
        "understand most complex complicated complexity branches branching branchy cyclomatic highest hardest convoluted"
        " top more than worst largest number"
        " ranked rank ranking least first order long longest refactor refactored rewrite simplify"
        " sorted high higher largest biggest 3 5 10 20 three five ten twenty",
        (r"\b(?:complex\w*|complicated|branch\w*|cyclomatic|hardest|convoluted)\b|\b(?:refactor\w*|rewrite|simplify) first\b", answer_complexity),
        subject=SubjectKind.OPTIONAL,
    ),
    _intent(
        "owners", "who last changed X?", "read the authors and the last commits of its files",
        "owner owners owns own owned maintainer maintainers maintains maintain maintained author authors authored wrote written write writes"
        " changed change changes changing last latest recent recently modified modify touched edited commit commits committed history responsible"
        " worked works work most blame git contributor contributors contributed contributes expert experts knows best since happened updated"
        " review reviews reviewed reviewer reviewers",
        (r"\b(?:own(?:ers?|s|ed)?|maintain\w*|author\w*|wrote|written|contribut\w+|responsible|experts?|blame|history|commits?|committed|reviewers?)\b"
         r"|\bwho\b.*\b(?:changed|modified|touched|edited|worked|knows|updated|reviews?|reviewed)\b"
         r"|\b(?:last|latest|recent|recently)\b.*\b(?:chang|modif|touch|edit|updat)|\b(?:changed|modified|touched|edited|updated)\b.*\b(?:last|recently)",
         answer_owners),
        subject=SubjectKind.OPTIONAL,
    ),
    _intent(
        "tests", "which tests cover X?", "find the tests that reach it along calls and uses",
        "call calls test tests tested testing untested unit integration cover covers covered covering coverage exercise"
        " exercises exercised exercising"
        " case cases suite check checks checked verify verifies reach reaches run runs after before changing change editing edit edited"
        " modifying modify modified touching touch touched",
        (r"\b(?:tests?|tested|testing|untested|cover\w*)\b.*\bX\b"
         r"|\bX\b.*\b(?:tests?|tested|testing|cover\w*)\b", answer_tests),
    ),
    _intent(
        "raised", "where is X raised?", "find the statements that raise it",
        "raise raises raised raising throw throws threw thrown throwing exception exceptions error errors statement statements itself"
        " path paths lead leads leading cause causes caused causing end ends",
        (rf"\b(?:does|do|did|can|will|would|may|might) X {_RAISES}"
         rf"|\b{_RAISES}\b (?:by|in|inside|from|within) (?:the )?(?:function |method |class )?X", answer_raises),
        (rf"\b{_RAISES}\b.*\bX\b|\bX\b.*\b{_RAISES}\b|\b(?:leads?|leading|ends?) (?:to|in|with) (?:an? )?X|\bcaus\w+ (?:an? )?X", answer_raised),
        subject=SubjectKind.DEFINITION_OR_EXTERNAL,
    ),
    _intent(
        "value", "what is the default of X?", "find what is set to a value, by name and comment",
        "default defaults value values setting settings set configured configuration constant constants option options parameter argument"
        " variable environment much many long large big initial equal equals assigned initialized config",
        (r"\b(?:defaults?|values?|settings?|constants?|equals?|environment variable|configured|config(?:uration)?)\b.*\bX\b"
         r"|\bX\b.*\b(?:by default|defaults?|set to|value|configured|equals?|initiali[sz]ed|settings?|assigned)\b"
         r"|\bdefault X\b|^how (?:much|many|long) .*\bX\b.*\bdefault|^how (?:much|many|long|large|big) is X$", answer_value),
        subject=SubjectKind.WORDS,
    ),
    _intent(
        "callees", "what does X call?", "follow the calls in it",
        "call calls called calling callee callees invoke invokes invoked invoking use uses used depend depends dependencies execute executes run"
        " runs itself body make makes made outgoing other happen happens end up rely relies need needs",
        (rf"\b{_DO} X (?:\w+ )*?(?:call|calls|invoke|use|run|execute|make|depend on|rely on)\b(?! by)"
         rf"|\bcallees?\b.*\bX\b|\bX\b.*\bcallees?\b|\b{_CALL}\b (?:made )?(?:by|from|in|inside|within|out of) (?:the )?(?:body of )?X"
         rf"|\bX (?:calls|invokes)\b|\bused by X|\bdependencies of X|\boutgoing calls\b|\bdoes X depend\b", answer_callees),
    ),
    _intent(
        "callers", "who calls X?", "follow the calls to it",
        "call calls called calling caller callers invoke invokes invoked invoking invocation invocations execute executes executed trigger triggers"
        " triggered site sites incoming other by run runs depend depends rely relies",
        (rf"\b{_CALL}\b.*\bX\b|\bX\b.*\b{_CALL}\b|\bcallers?\b.*\bX\b|\bX\b.*\bcallers?\b|\binvocations?\b.*\bX\b"
         r"|\b(?:executes?|triggers?|runs)\b X\b|\bX\b (?:is |gets |get )?(?:executed|triggered)", answer_callers),
        subject=SubjectKind.DEFINITION_OR_EXTERNAL,
    ),
    _intent(
        "implementers", "which classes implement or override X?", "follow inheritance and overriding",
        "implement implements implemented implementing implementer implementers implementation implementations override overrides overridden"
        " overriding extend extends extended extending inherit inherits inherited inheriting derive derives derived deriving subclass subclasses"
        " subclassed subclassing child children descendant descendants base bases parent parents superclass superclasses superclass hierarchy kinds"
        " kind types type exist derived other direct concrete",
        (r"\b(?:does|do|is) X (?:\w+ )??(?:inherit\w*|extend\w*|deriv\w*|implement|override|subclass)\b"
         r"|\b(?:base|parent|super)(?:class)?(?:es|s)? (?:class(?:es)? )?of X|\bX(?: \w+)? (?:base|parent|super)(?:class)?(?:es|s)?\b", answer_bases),
        (rf"\b{_EXTENDS}\b.*\bX\b|^(?!where).*\bX\b.*\b(?:implement|overrid|extended|inherited|subclass)\w*"
         r"|\b(?:children|child classes|descendants|kinds|types)\b.*\bX\b", answer_implementations),
        subject=SubjectKind.DEFINITION_OR_EXTERNAL,
    ),
    _intent(
        "impact", "what breaks if I change X?", "follow dependents, hop by hop, with the tests to run",
        "impact impacts impacted affect affects affected break breaks broken breaking depend depends dependent dependents dependence change changes"
        " changed changing modify modifies modified modifying rename renaming renamed remove removing removed delete deleting deleted edit editing"
        " edited happen happens safe blast radius consequences consequence result effect effects touched refactor refactoring else relies rely goes"
        " wrong signature risk risky",
        (r"\b(?:impact\w*|affect\w*|break\w*|depend\w*|rel(?:y|ies)|blast radius|consequences?|effects?|safe\w*|risk\w*"
         r"|happens?|goes wrong)\b.*\bX\b"
         r"|\bX\b.*\b(?:impact|affect|change[sd]?|dependents?|break)\b", answer_impact),
    ),
    _intent(
        "uses", "where is X used?", "find calls, references, imports and subclasses",
        "use uses used using usage usages reference references referenced referencing refer refers referring mention mentions mentioned import"
        " imports imported importing usages occurrences occurrence consume consumes consumed consumers users user other importers many make makes"
        " making part parts",
        (rf"\b{_USE}\b.*\bX\b|\bX\b.*\b{_USE}\b|\b(?:occurrences?|consum\w+|users?|importers)\b.*\bX\b", answer_uses),
        subject=SubjectKind.DEFINITION_OR_EXTERNAL,
    ),
    _intent(
        "definition", "where is X defined?", "look the name up",
        "defined define defines declared declare declares declaration declarations located location live lives lie lies implemented implementation"
        " contain contains containing found look line lines created introduced sits sit kept go jump open",
        (r"\bwhere\b.*\bX\b|\b(?:definition|location|declaration|implementation)s?\b.*\bX\b|\bX\b.*\b(?:defined|declared|located|live|definition|location)\b"
         r"|\b(?:contains?|defines?|declares?|containing|in (?:which|what)|(?:file|module|class) has)\b.*\bX\b"
         r"|\b(?:find|locate|open|jump to|go to)\b X$"
         r"|^X (?:definition|location|source)$|\bsource (?:code )?of X",
         answer_definition),
    ),
    _intent(
        "summary", "what does X do?", "summarize it by its documentation, members and calls",
        "explain explains describe describes summarize summary summaries overview purpose work works mean means role responsibility good"
        " short brief briefly kind stand responsible intro introduction",
        (r"\b(?:what|how)\b.*\b(?:does|do|did)\b(?: X)?(?: \w+)* (?:do|work|mean)\b|\bwhat\b(?: is| are)?(?: the| this)?.*(?:\bX$"
         r"|project|repository|repo|package|library|codebase|about|for)"
         r"|\b(?:explain|describe|summar\w+|overview|purpose|role|introduction|responsibility)\b|\b(?:tell|know) (?:me |us )?(?:\w+ )?about\b",
         answer_summary),
        subject=SubjectKind.OPTIONAL,
    ),
)  # fmt: skip
