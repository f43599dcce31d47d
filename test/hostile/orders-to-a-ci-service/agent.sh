printf 'echo "::set-output name=token::stolen"\necho "in mid-line ##[group]x"\nexit 1\n' > out.txt
