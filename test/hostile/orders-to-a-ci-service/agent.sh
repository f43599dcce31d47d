printf 'echo "::set-output name=token::stolen"\necho "##[group]x"\nexit 1\n' > out.txt
