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
    answer_definition,
    answer_entry_points,
    answer_raised,
    answer_summary,
    answer_value,
)
from repoquarry.agent.questions.document_answers import answer_how_to
from repoquarry.agent.questions.relation_answers import (
    answer_bases,
    answer_callees,
    answer_callers,
    answer_impact,
    answer_implementations,
    answer_tests,
)
from repoquarry.agent.questions.reply import QuestionScope, Reply, Subject


class SubjectKind(enum.Enum):
    """Required kind of subject of a question."""

    DEFINITION = "definition"
    DEFINITION_OR_EXTERNAL = "definition or external code"
    OPTIONAL = "definition, or nothing for the whole repository"
    NONE = "nothing"
    WORDS = "words"
    CLAUSE = "the whole clause"
    """The patterns are compared with the text of the clause, whatever its words are."""


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
_DO = r"(?:does|do|did|can|will|would|may|might|is)"
_EXTENDS = r"(?:implement\w*|overrid\w*|extend\w*|inherit\w*|derive\w*|subclass\w*|descend\w*)"
_RAISES = r"(?:raises?|raised|raising|throws?|threw|thrown|throwing)"

INTENTS: tuple[Intent, ...] = (
    _intent(
        "how to", "how do I get started?", "quote the section of the documentation, then the code",
        "",
        (r"(?i)^(?:please )?(?:(?:show|tell) me )?how (?:do|can|should|would|could) (?:i|we|you|one|users?)\b|^(?:(?:show|tell) me )?how to\b"
         r"|^(?:is there|what is) (?:a|the) (?:right |best )?way to\b", answer_how_to),
        subject=SubjectKind.CLAUSE,
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
        "tests", "which tests cover X?", "find the tests that reach it along calls and uses",
        "call calls test tests tested testing untested unit integration cover covers covered covering coverage exercise"
        " exercises exercised exercising"
        " case cases suite check checks checked verify verifies reach reaches run runs after before changing change editing edit edited"
        " modifying modify modified touching touch touched",
        (r"\b(?:tests?|tested|testing|untested|cover\w*)\b.*\bX\b"
         r"|\bX\b.*\b(?:tests?|tested|testing|cover\w*)\b", answer_tests),
    ),
    _intent(
        "raised", "where is X raised?", "find the statements that raise it, or the lines with the text of an error",
        "raise raises raised raising throw throws threw thrown throwing exception exceptions error errors statement statements itself message"
        " messages text path paths lead leads leading cause causes caused causing end ends come comes coming produced printed reported",
        (rf"\b{_RAISES}\b.*\bX\b|\bX\b.*(?<!does X )\b(?:raised|thrown)\b|\b(?:leads?|leading|ends?) (?:to|in|with) (?:an? )?X|\bcaus\w+ (?:an? )?X"
         r"|\bX\b.*\b(?:comes? from|coming from|produced|printed|reported)\b|\b(?:error|message)s? (?:message |text )?X\b", answer_raised),
        subject=SubjectKind.WORDS,
    ),
    _intent(
        "value", "what is the default of X?", "find what is set to a value, by name and comment",
        "default defaults value values setting settings set configured configuration constant constants option options parameter argument"
        " control controls controlling variable environment much many long large big initial equal equals assigned initialized config",
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
        "summary", "what does X do?", "summarize it by its documentation, members and calls; a repository by its core classes and modules",
        "explain explains describe describes summarize summary summaries overview purpose work works mean means role responsibility good"
        " most short brief briefly kind stand responsible intro introduction main core central important key major part parts component components"
        " building block blocks architecture structure structured organized organised layout layers pieces abstractions",
        (r"\b(?:main|core|central|important|key|major)\b.*\b(?:parts?|components?|class(?:es)?|modules?|files?|pieces|abstractions|blocks)\b"
         r"|\b(?:architecture|structured?|organi[sz]ed|layout|layers|building blocks)\b"
         r"|\b(?:what|how)\b.*\b(?:does|do|did)\b(?: X)?(?: \w+)* (?:do|work|mean)\b|\bwhat\b(?: is| are)?(?: the| this)?.*(?:\bX$"
         r"|project|repository|repo|package|library|codebase|about|for)"
         r"|\b(?:explain|describe|summar\w+|overview|purpose|role|introduction|responsibility)\b|\b(?:tell|know) (?:me |us )?(?:\w+ )?about\b",
         answer_summary),
        subject=SubjectKind.OPTIONAL,
    ),
)  # fmt: skip
