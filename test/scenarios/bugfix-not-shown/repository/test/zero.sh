[ "$(sh sum.sh 0 0)" = 0 ]
