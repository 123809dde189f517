from lib import Box, load

load("x").open()
Box().lid.shut()
