def register(commands):
    parser = commands.add_parser("remove")
    parser.set_defaults(func=remove)


def remove(args):
    pass
