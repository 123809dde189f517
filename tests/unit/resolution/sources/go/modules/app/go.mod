module example.com/app

require example.com/tools v0.0.0
