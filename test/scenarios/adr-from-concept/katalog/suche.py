def suche(wort):
    return []
