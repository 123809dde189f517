import argparse
import optparse
from types import SimpleNamespace

import plugin


def build():
    common = argparse.ArgumentParser(add_help=False)
    common.set_defaults(log=log)
    parser = argparse.ArgumentParser(parents=[common])
    group = parser.add_argument_group("output")
    group.add_argument("-f", "--as-json", dest="printer", action="store_const", const=as_json, default=as_text)
    parser.add_argument("--on-end", default=ending)
    commands = parser.add_subparsers()
    add = commands.add_parser("add")
    add.set_defaults(func=add_one, other=1)
    plugin.register(commands)
    return parser


def main():
    args = build().parse_args()
    args.func(args)
    args.log()
    args.printer()
    getattr(args, "on_end")()


def partly():
    args, rest = build().parse_known_args()
    options = vars(args)
    options["func"](args)


class Parser(argparse.ArgumentParser):
    def add_all(self):
        self.set_defaults(func=of_class)


def by_class():
    parser = Parser()
    parser.add_all()
    run(parser.parse_args())


def run(args: argparse.Namespace):
    args.func()


def old():
    parser = optparse.OptionParser()
    parser.add_option("--func", default=old_style)
    options, rest = parser.parse_args()
    options.func()


def given():
    args = SimpleNamespace(func=add_one)
    args.later = ending
    args.func(args)
    args.later()


def add_one(args):
    pass


def log():
    pass


def as_json():
    pass


def as_text():
    pass


def ending():
    pass


def of_class():
    pass


def old_style():
    pass
