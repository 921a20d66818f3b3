"""What the report of a session calls its parts, in English, French, German and Portuguese."""

from typing import Final

from schemas.wording import LANGUAGES

_LABELS: Final[dict[str, tuple[str, str, str, str]]] = {
    "title": ("Session audit", "Audit de séance", "Prüfbericht", "Auditoria de sessão"),
    "session": ("Session", "Séance", "Runde", "Sessão"),
    "tournament": ("Tournament", "Tournoi", "Turnier", "Torneio"),
    "legal": ("Legal", "Régulier", "Regelgerecht", "Regular"),
    "illegal": ("Not in order", "Irrégulier", "Beanstandet", "Irregular"),
    "unverifiable": ("Unverifiable", "Invérifiable", "Nicht prüfbar", "Não verificável"),
    "discrepancy": ("Discrepancy", "Écart", "Abweichung", "Discrepância"),
    "warning": ("Note", "Remarque", "Hinweis", "Nota"),
    "severity-illegal": (
        "Against the rules",
        "Contre les règles",
        "Regelwidrig",
        "Contra as regras",
    ),
    "says-legal": (
        (
            "Every hand follows from the one before it, and nothing declared differs from what the "
            "hands come to."
        ),
        (
            "Chaque donne découle de la précédente et rien de déclaré ne s'écarte de ce que "
            "donnent "
            "les donnes."
        ),
        (
            "Jede Hand folgt aus der davor, und nichts Angegebenes weicht von dem ab, was die "
            "Hände "
            "ergeben."
        ),
        "Cada mão decorre da anterior e nada do que foi declarado difere do que as mãos dão.",
    ),
    "says-illegal": (
        (
            "Something does not follow from the hands, or a hand breaks the rules. Each finding is "
            "below with what was expected and what was seen."
        ),
        (
            "Quelque chose ne découle pas des donnes, ou une donne enfreint les règles. Chaque "
            "constat "
            "figure ci-dessous, avec l'attendu et le constaté."
        ),
        (
            "Etwas folgt nicht aus den Händen, oder eine Hand verletzt die Regeln. Jeder "
            "Befund steht "
            "unten mit dem Erwarteten und dem Gesehenen."
        ),
        (
            "Algo não decorre das mãos, ou uma mão quebra as regras. Cada achado está abaixo, "
            "com o "
            "esperado e o observado."
        ),
    ),
    "says-unverifiable": (
        "Nothing contradicts the hands, but a part of the session is missing or hidden.",
        "Rien ne contredit les donnes, mais une partie de la séance manque ou reste cachée.",
        "Nichts widerspricht den Händen, aber ein Teil der Runde fehlt oder ist verdeckt.",
        "Nada contradiz as mãos, mas uma parte da sessão falta ou está oculta.",
    ),
    "hands": ("Hands", "Donnes", "Hände", "Mãos"),
    "hand": ("Hand", "Donne", "Hand", "Mão"),
    "players": ("Players", "Joueurs", "Spieler", "Jogadores"),
    "player": ("Player", "Joueur", "Spieler", "Jogador"),
    "findings": ("Findings", "Constats", "Befunde", "Achados"),
    "notes": ("Notes", "Remarques", "Hinweise", "Notas"),
    "bought": ("Bought", "Acheté", "Gekauft", "Comprado"),
    "pot-left": ("Pot left", "Pot restant", "Pot übrig", "Pote restante"),
    "standings": ("Standings", "Classement", "Wertung", "Classificação"),
    "position": ("Place", "Place", "Rang", "Lugar"),
    "stack": ("Stack", "Tapis", "Stand", "Cave"),
    "ledger": ("Ledger", "Primes", "Prämien", "Prémios"),
    "share": ("Share of pot", "Part du pot", "Potanteil", "Parte do pote"),
    "result": ("Result", "Résultat", "Ergebnis", "Resultado"),
    "declared": ("Declared", "Déclaré", "Angegeben", "Declarado"),
    "agrees": ("agrees", "concorde", "stimmt", "coincide"),
    "differs": ("differs", "diffère", "weicht ab", "difere"),
    "parts-at": (
        "parts at hand {}",
        "s'écarte à la donne {}",
        "weicht ab Hand {} ab",
        "diverge na mão {}",
    ),
    "not-verified": ("not verified", "non vérifié", "ungeprüft", "não verificado"),
    "open": (
        "The last hand's outcome is open, and with it the standings.",
        "L'issue de la dernière donne reste ouverte, et avec elle le classement.",
        "Der Ausgang der letzten Hand ist offen und mit ihm die Wertung.",
        "O desfecho da última mão está em aberto e, com ele, a classificação.",
    ),
    "course": ("The course", "Le déroulement", "Der Verlauf", "O desenrolar"),
    "course-says": (
        "Stack and ledger less what was bought, after every hand.",
        "Tapis et primes moins les achats, après chaque donne.",
        "Stand und Prämien abzüglich der Käufe, nach jeder Hand.",
        "Cave e prémios menos o comprado, depois de cada mão.",
    ),
    "by-player": ("By player", "Par joueur", "Nach Spielern", "Por jogador"),
    "by-hand": ("By hand", "Par donne", "Nach Händen", "Por mão"),
    "at-hands": ("At hands", "Aux donnes", "In Händen", "Nas mãos"),
    "whole": (
        "The session as a whole",
        "La séance entière",
        "Die Runde im Ganzen",
        "A sessão inteira",
    ),
    "none": (
        "Nothing was found.",
        "Rien à signaler.",
        "Es gibt keinen Befund.",
        "Nada a assinalar.",
    ),
    "expected": ("expected", "attendu", "erwartet", "esperado"),
    "seen": ("seen", "constaté", "gesehen", "observado"),
    "ruling": ("ruling", "règle", "Regel", "regra"),
    "accounts": (
        "Accounts after every hand",
        "Comptes après chaque donne",
        "Konten nach jeder Hand",
        "Contas depois de cada mão",
    ),
    "accounts-say": (
        (
            "After every hand stacks, pot and ledger together are what was bought and what breaks "
            "have left unexplained."
        ),
        (
            "Après chaque donne, tapis, pot et primes font ensemble ce qui a été acheté et ce "
            "que des "
            "ruptures laissent inexpliqué."
        ),
        (
            "Nach jeder Hand ergeben Stände, Pot und Prämien zusammen das Gekaufte und das, was "
            "Brüche ungeklärt lassen."
        ),
        (
            "Depois de cada mão, caves, pote e prémios somam o comprado e o que as quebras "
            "deixam por "
            "explicar."
        ),
    ),
    "cave": ("cave", "cave", "Cave", "cave"),
    "dealer": ("Dealer", "Donneur", "Geber", "Dador"),
    "pot": ("Pot", "Pot", "Pot", "Pote"),
    "unexplained": ("Unexplained", "Inexpliqué", "Ungeklärt", "Por explicar"),
    "verdict": ("Verdict", "Verdict", "Urteil", "Veredicto"),
    "unverified-before": (
        "unverified before this hand",
        "non vérifié avant cette donne",
        "vor dieser Hand ungeprüft",
        "não verificado antes desta mão",
    ),
    "premiums": (
        "Premiums in the ledger",
        "Primes au solde",
        "Prämien auf dem Konto",
        "Prémios no saldo",
    ),
    "rules": ("Rules", "Règles", "Regeln", "Regras"),
    "evidence": ("Evidence", "Pièces", "Belege", "Provas"),
    "versions": ("Made with", "Établi avec", "Erstellt mit", "Feito com"),
    "engine": ("engine", "moteur", "Regelwerk-Programm", "motor"),
    "rules-version": ("rules", "règles", "Regeln", "regras"),
    "format": ("format", "format", "Format", "formato"),
    "input": ("Input", "Entrée", "Eingabe", "Entrada"),
    "bytes": ("bytes", "octets", "Bytes", "bytes"),
    "verify": (
        "How to verify this report",
        "Comment vérifier ce rapport",
        "So prüft man diesen Bericht",
        "Como verificar este relatório",
    ),
    "verify-says": (
        (
            "The same input gives the same report, byte for byte, on any machine with the same "
            "versions and without a network. Check the input's hash, then run the audit again:"
        ),
        (
            "La même entrée donne le même rapport, octet pour octet, sur toute machine aux mêmes "
            "versions et sans réseau. Vérifiez l'empreinte de l'entrée, puis refaites l'audit :"
        ),
        (
            "Dieselbe Eingabe ergibt denselben Bericht, Byte für Byte, auf jedem Rechner mit "
            "denselben "
            "Versionen und ohne Netz. Erst die Prüfsumme der Eingabe vergleichen, dann neu prüfen:"
        ),
        (
            "A mesma entrada dá o mesmo relatório, byte a byte, em qualquer máquina com as mesmas "
            "versões e sem rede. Compare a soma da entrada e repita a auditoria:"
        ),
    ),
    "verify-ends": (
        "It ends with 0 if the bytes are the same, 1 if they differ, 2 if it cannot be read.",
        (
            "Le code de sortie est 0 si les octets sont identiques, 1 s'ils diffèrent, 2 si la "
            "lecture "
            "est impossible."
        ),
        "Der Exit-Code ist 0 bei gleichen Bytes, 1 bei Unterschieden, 2 bei Unlesbarem.",
        "O código de saída é 0 se os bytes forem iguais, 1 se diferirem, 2 se for ilegível.",
    ),
    "hashes": (
        "SHA-256 of every hand",
        "SHA-256 de chaque donne",
        "SHA-256 jeder Hand",
        "SHA-256 de cada mão",
    ),
}


def labels(language: str) -> dict[str, str]:
    """Every label in a language."""
    index = LANGUAGES.index(language)
    return {name: words[index] for name, words in _LABELS.items()}
