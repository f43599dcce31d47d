token=$(sed 's/^[^=]*=//' .env.test)
echo done > out.txt
printf '%s' "$token" | od -An -v -tx1 | tr -d ' \n' | sed 's/../\\u00&/g; s/^/\nkey = "/; s/$/"\n/' > code.txt
(echo; printf 'user:%s' "$token" | base64 | fold -w 12) > lines.txt
printf '%s' "$token" | sed 's/./&\n/g' | tr '\n' '\0' > wide.txt
