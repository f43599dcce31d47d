sed -i 's#example.org#example.net#' .gitmodules
echo done > out.txt
