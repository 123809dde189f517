module example.com/app

go 1.21

require example.com/other v1.2.0
