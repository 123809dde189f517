"""Constants are read from source lines of several languages, with their comments."""

import pytest

from repoquarry.code.constants import Constant, iterate_constants, rank_constants
from repoquarry.graphstore.search.text_analysis import terms


def _found(text: str, asked: str) -> list[Constant]:
    wanted = terms(asked)
    return rank_constants(iterate_constants("r", "src/settings.x", text, set(wanted)), wanted)


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("READ_TIMEOUT = 180  # 3 minutes", "READ_TIMEOUT", "180"),
        ("READ_TIMEOUT: float = 4.5", "READ_TIMEOUT", "4.5"),
        ('    "READ_TIMEOUT": timedelta(days=31),', "READ_TIMEOUT", "timedelta(days=31)"),
        ("        read_timeout: int = 5,", "read_timeout", "5"),
        ("    read_timeout=Option(4, type='int'),", "read_timeout", "4"),
        ("        read_timeout=4, other=5", "read_timeout", "4"),
        ("export const readTimeout = 30;", "readTimeout", "30"),
        ("readTimeout := 30", "readTimeout", "30"),
        ("    read_timeout: int = field(default=30)", "read_timeout", "30"),
        ('READ_TIMEOUT = os.environ.get("READ_TIMEOUT", "30")', "READ_TIMEOUT", '"30"'),
        ("    this.readTimeout = options.readTimeout || 30;", "readTimeout", "30"),
        ("  readTimeout = options.readTimeout ?? 30", "readTimeout", "30"),
        ("const t = process.env.READ_TIMEOUT || '30'", "READ_TIMEOUT", "'30'"),
        ("  this.set('read timeout', 30)", "read timeout", "30"),
        ("function open(path, readTimeout = 30) {", "readTimeout", "30"),
        ("  open(path, readTimeout = 30) {", "readTimeout", "30"),
        ("    private readTimeout: number = 30;", "readTimeout", "30"),
        ("    private static final int READ_TIMEOUT = 30;", "READ_TIMEOUT", "30"),
        ('    int n = props.getOrDefault("read.timeout", 30);', "read.timeout", "30"),
        ("const readTimeout time.Duration = 30", "readTimeout", "30"),
        ('viper.SetDefault("read_timeout", 30)', "read_timeout", "30"),
        ("    val readTimeout: Int = 30", "readTimeout", "30"),
        ("    fun open(path: String, readTimeout: Int = 30) {", "readTimeout", "30"),
        ("    public int ReadTimeout = 30;", "ReadTimeout", "30"),
        ("    void Open(string path, int readTimeout = 30)", "readTimeout", "30"),
        ("#define READ_TIMEOUT 30", "READ_TIMEOUT", "30"),
        ("static const int read_timeout = 30;", "read_timeout", "30"),
        ("    private $readTimeout = 30;", "readTimeout", "30"),
        ("    'read_timeout' => env('READ_TIMEOUT', 30),", "READ_TIMEOUT", "30"),
        ("  @read_timeout ||= 30", "read_timeout", "30"),
        ('  timeout = ENV.fetch("READ_TIMEOUT", 30)', "READ_TIMEOUT", "30"),
        ("pub const READ_TIMEOUT: u64 = 30;", "READ_TIMEOUT", "30"),
        ('let t = env::var("READ_TIMEOUT").unwrap_or("30".into());', "READ_TIMEOUT", '"30".into()'),
    ],
)
def test_lines_that_set_a_name(line: str, name: str, value: str) -> None:
    found = _found(line, "read timeout")
    assert name in {item.name for item in found}
    assert {item.value for item in found} == {value}


@pytest.mark.parametrize(
    "line",
    [
        "timeout = compute(x)",
        "if timeout == 3:",
        "timeout = ...",
        "timeout = other.timeout",
        "    return open(path, timeout=3)",
        "if (timeout || 3) {",
    ],
)
def test_what_is_no_literal_is_no_constant(line: str) -> None:
    assert _found(line, "timeout") == []


def test_comments_above_tell_what_a_constant_is() -> None:
    (found,) = _found("X = 1\n# Age of the cookie,\n# in seconds.\nAGE = 60 * 60\n", "cookie age")
    assert (found.line, found.name, found.comment) == (4, "AGE", "Age of the cookie, in seconds.")


def test_names_that_say_all_come_first_and_one_common_word_is_not_enough() -> None:
    text = "DOWNLOAD_TIMEOUT = 180\nDNS_TIMEOUT = 60\nWORKER_UP = 15\n"
    assert [item.name for item in _found(text, "download timeout")] == ["DOWNLOAD_TIMEOUT", "DNS_TIMEOUT"]
    assert _found(text, "times it tries to connect before giving up") == []
