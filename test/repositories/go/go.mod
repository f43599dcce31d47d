module example.org/greeting

go 1.22

require example.org/words v1.0.0

replace example.org/words => ./third_party/words
