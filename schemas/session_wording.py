"""What is said of each finding about a session, in English, French, German and Portuguese.

A template may name ``{player}``, ``{hand}`` (a number), ``{expected}``, ``{seen}`` and
``{account}``. A finding that needs more than one sentence has its further wordings under its code
and a word.
"""

from typing import Final

ACCOUNTS: Final[dict[str, dict[str, str]]] = {
    "stack": {"en": "stack", "fr": "tapis", "de": "Stand", "pt": "cave restante"},
    "ledger": {
        "en": "ledger",
        "fr": "solde des primes",
        "de": "Prämienkonto",
        "pt": "saldo de prémios",
    },
    "share": {
        "en": "share of the pot",
        "fr": "part du pot",
        "de": "Anteil am Pot",
        "pt": "parte do pote",
    },
    "bought": {"en": "cost", "fr": "total acheté", "de": "Einkauf", "pt": "total comprado"},
}
"""The accounts of a player as they stand in a sentence."""

SESSION_TEMPLATES: Final[dict[str, dict[str, str]]] = {
    "rebuy-early": {
        "en": "Before hand {hand} {player} bought a cave with {seen} still left. "
        "One is bought only at 0.",
        "fr": "Avant la donne {hand}, {player} a repris une cave alors qu'il lui restait {seen}. "
        "On ne recave qu'à 0.",
        "de": "Vor Hand {hand} wurde für {player} eine Cave gekauft, obwohl noch {seen} da waren. "
        "Gekauft wird erst bei 0.",
        "pt": "Antes da mão {hand}, {player} comprou uma cave quando ainda tinha {seen}. "
        "Só se compra a 0.",
    },
    "session-long": {
        "en": "The session has {expected} hands, and hand {hand} is beyond the last.",
        "fr": "La séance compte {expected} donnes, la donne {hand} est de trop.",
        "de": "Die Runde hat {expected} Hände, Hand {hand} ist eine zu viel.",
        "pt": "A sessão tem {expected} mãos e a mão {hand} está a mais.",
    },
    "player-twice": {
        "en": "{player} sits in two seats in hand {hand}.",
        "fr": "{player} occupe deux places à la donne {hand}.",
        "de": "{player} sitzt in Hand {hand} auf zwei Plätzen.",
        "pt": "{player} ocupa dois lugares na mão {hand}.",
    },
    "player-joined": {
        "en": "{player} came in at hand {hand}; here the players of the first hand play them all.",
        "fr": "{player} arrive à la donne {hand}, or les joueurs de la première les jouent toutes.",
        "de": "{player} kam erst zu Hand {hand}; hier bleiben die Spieler der ersten Hand bis zum "
        "Ende.",
        "pt": "{player} entrou na mão {hand}; aqui os jogadores da primeira jogam-nas todas.",
    },
    "player-left": {
        "en": "{player} is missing from hand {hand}; here the players of the first hand play them "
        "all.",
        "fr": "{player} manque à la donne {hand}, or les joueurs de la première les jouent toutes.",
        "de": "{player} fehlt in Hand {hand}; hier bleiben die Spieler der ersten Hand bis zum "
        "Ende.",
        "pt": "{player} falta na mão {hand}; aqui os jogadores da primeira jogam-nas todas.",
    },
    "stack-break": {
        "en": "{player} begins hand {hand} with {seen}; the hand before left {expected}.",
        "fr": "{player} commence la donne {hand} avec {seen}, la précédente laissait {expected}.",
        "de": "{player} beginnt Hand {hand} mit {seen}, aus der Hand davor waren es {expected}.",
        "pt": "{player} começa a mão {hand} com {seen}; a anterior deixou {expected}.",
    },
    "dealer-break": {
        "en": "{seen} deals hand {hand}; it was {expected}'s turn.",
        "fr": "{seen} donne à la donne {hand}, c'était à {expected} de donner.",
        "de": "Hand {hand} gibt {seen}, an der Reihe war {expected}.",
        "pt": "{seen} dá na mão {hand}; cabia a {expected} dar.",
    },
    "carried-break": {
        "en": "Hand {hand} begins with {seen} in the pot; the hand before left {expected}.",
        "fr": "La donne {hand} commence avec {seen} au pot, la précédente laissait {expected}.",
        "de": "Hand {hand} beginnt mit {seen} im Pot, aus der Hand davor waren es {expected}.",
        "pt": "A mão {hand} começa com {seen} no pote; a anterior deixou {expected}.",
    },
    "order-break": {
        "en": "The turn order of hand {hand} is {seen}; it was {expected}.",
        "fr": "L'ordre des places à la donne {hand} est {seen}, il était {expected}.",
        "de": "Die Reihenfolge in Hand {hand} ist {seen}, sie war {expected}.",
        "pt": "A ordem na mão {hand} é {seen}; era {expected}.",
    },
    "exempt-break/due": {
        "en": "{player} owes no ante in hand {hand} by the hand before, and the hand has one.",
        "fr": "{player} est exempt de mise à la donne {hand} d'après la précédente, or la donne en "
        "compte une.",
        "de": "{player} ist nach der Hand davor in Hand {hand} vom Einsatz frei, sie rechnet aber "
        "einen.",
        "pt": "{player} está isento de ante na mão {hand} pela anterior, e a mão conta uma.",
    },
    "exempt-break/undue": {
        "en": "{player} is let off the ante in hand {hand}; the hand before gives no reason.",
        "fr": "{player} est exempté de mise à la donne {hand}, la précédente n'y donne pas lieu.",
        "de": "{player} ist in Hand {hand} vom Einsatz befreit, die Hand davor gibt keinen Grund.",
        "pt": "{player} está isento de ante na mão {hand}; a anterior não dá razão para isso.",
    },
    "rules-break": {
        "en": "Hand {hand} is played by other rules than the session.",
        "fr": "La donne {hand} suit d'autres règles que la séance.",
        "de": "Hand {hand} folgt anderen Regeln als die Runde.",
        "pt": "A mão {hand} segue outras regras que não as da sessão.",
    },
    "ledger-break": {
        "en": "After hand {hand} the ledger of {player} is given as {seen}; it is {expected}.",
        "fr": "Après la donne {hand}, le solde des primes donné pour {player} est {seen}, il est "
        "de {expected}.",
        "de": "Nach Hand {hand} ist das Prämienkonto für {player} mit {seen} angegeben, es steht "
        "bei {expected}.",
        "pt": "Depois da mão {hand}, o saldo de prémios dado para {player} é {seen}; na verdade é "
        "{expected}.",
    },
    "ledger-break/unplayed": {
        "en": "A ledger is given for after hand {seen}, and the last hand is {expected}.",
        "fr": "Un solde est donné pour après la donne {seen}, or la dernière est la {expected}.",
        "de": "Ein Kontostand ist für nach Hand {seen} angegeben, die letzte Hand ist {expected}.",
        "pt": "Está dado um saldo para depois da mão {seen}, e a última é a {expected}.",
    },
    "gap-chips": {
        "en": "Hand {hand} begins with {seen} on the table; before the gap it was {expected}.",
        "fr": "La donne {hand} commence avec {seen} sur la table, avant la lacune il y avait "
        "{expected}.",
        "de": "Hand {hand} beginnt mit {seen} auf dem Tisch, vor der Lücke waren es {expected}.",
        "pt": "A mão {hand} começa com {seen} na mesa; antes da lacuna eram {expected}.",
    },
    "rebuy-unrecorded": {
        "en": "{player} was at 0 and begins hand {hand} with {expected}. The cave is not recorded.",
        "fr": "{player} était à 0 et commence la donne {hand} avec {expected}. La cave n'est pas "
        "notée.",
        "de": "{player} stand bei 0 und beginnt Hand {hand} mit {expected}. Die Cave ist nicht "
        "vermerkt.",
        "pt": "{player} estava a 0 e começa a mão {hand} com {expected}. Falta registar a cave.",
    },
    "rebuy-list": {
        "en": "The list has a cave of {seen} for {player} before hand {hand}; the hand has "
        "{expected}.",
        "fr": "La liste porte une cave de {seen} pour {player} avant la donne {hand}, la donne "
        "porte {expected}.",
        "de": "Die Liste hat für {player} vor Hand {hand} eine Cave von {seen}, die Hand hat "
        "{expected}.",
        "pt": "A lista tem uma cave de {seen} para {player} antes da mão {hand}; a mão tem "
        "{expected}.",
    },
    "rebuy-list/unlisted": {
        "en": "{player} bought a cave of {expected} before hand {hand}. It is not in the list.",
        "fr": "{player} a pris une cave de {expected} avant la donne {hand}. Elle n'est pas dans "
        "la liste.",
        "de": "Für {player} wurde vor Hand {hand} eine Cave von {expected} gekauft. In der Liste "
        "fehlt sie.",
        "pt": "{player} comprou uma cave de {expected} antes da mão {hand}. Não está na lista.",
    },
    "rebuy-list/unplayed": {
        "en": "The list has a cave of {seen} for {player} before hand {hand}; no hand shows it.",
        "fr": "La liste porte une cave de {seen} pour {player} avant la donne {hand}, aucune donne "
        "ne la montre.",
        "de": "Die Liste hat für {player} vor Hand {hand} eine Cave von {seen}, keine Hand zeigt "
        "sie.",
        "pt": "A lista tem uma cave de {seen} para {player} antes da mão {hand}; nenhuma mão a "
        "mostra.",
    },
    "declared-result": {
        "en": "The result of {player} is declared as {seen}; it is {expected}.",
        "fr": "Le résultat déclaré pour {player} est {seen}, il est de {expected}.",
        "de": "Das Ergebnis ist für {player} mit {seen} angegeben, es ist {expected}.",
        "pt": "O resultado declarado para {player} é {seen}; na verdade é {expected}.",
    },
    "declared-position": {
        "en": "{player} is declared in place {seen}; it is place {expected}.",
        "fr": "La place déclarée pour {player} est la {seen}, c'est la {expected}.",
        "de": "Für {player} ist Rang {seen} angegeben, es ist Rang {expected}.",
        "pt": "A posição declarada para {player} é a {seen}; na verdade é a {expected}.",
    },
    "declared-account": {
        "en": "For {player} the declared {account} is {seen}; it is {expected}.",
        "fr": "Pour {player}, le compte « {account} » est déclaré à {seen}, il est de {expected}.",
        "de": "Für {player} ist als {account} {seen} angegeben, es sind {expected}.",
        "pt": "Para {player}, a conta «{account}» está declarada como {seen}; é de {expected}.",
    },
    "declared-players/absent": {
        "en": "{player} played and has no place in the declared standings.",
        "fr": "{player} a joué et ne figure pas au classement déclaré.",
        "de": "{player} hat gespielt und fehlt in der angegebenen Wertung.",
        "pt": "{player} jogou e não consta da classificação declarada.",
    },
    "declared-players/stranger": {
        "en": "The declared standings have {player}, who did not play.",
        "fr": "Le classement déclaré porte {player}, qui n'a pas joué.",
        "de": "In der angegebenen Wertung steht {player}, ohne gespielt zu haben.",
        "pt": "A classificação declarada tem {player}, que não jogou.",
    },
    "hand-conflict": {
        "en": "Hand {hand} is there twice with different content: {expected} counts, {seen} does "
        "not.",
        "fr": "La donne {hand} figure deux fois avec un contenu différent : {expected} compte, "
        "{seen} non.",
        "de": "Hand {hand} steht zweimal mit verschiedenem Inhalt da: {expected} zählt, {seen} "
        "nicht.",
        "pt": "A mão {hand} consta duas vezes e com conteúdo diferente: conta {expected}, e não "
        "{seen}.",
    },
    "hand-misplaced": {
        "en": "Hand {hand} stands out of order, after hand {expected}.",
        "fr": "La donne {hand} n'est pas à sa place, elle vient après la donne {expected}.",
        "de": "Hand {hand} steht nicht an ihrer Stelle, sondern nach Hand {expected}.",
        "pt": "A mão {hand} está fora do lugar, depois da mão {expected}.",
    },
    "hand-misplaced/first": {
        "en": "Hand {hand} stands out of order, first of all, before hand {expected}.",
        "fr": "La donne {hand} n'est pas à sa place : elle est en tête, avant la donne {expected}.",
        "de": "Hand {hand} steht nicht an ihrer Stelle, sondern ganz vorn, vor Hand {expected}.",
        "pt": "A mão {hand} está fora do lugar, à cabeça, antes da mão {expected}.",
    },
    "hand-foreign": {
        "en": "{seen} is a hand of another session and is left out.",
        "fr": "{seen} est une donne d'une autre séance et n'est pas comptée.",
        "de": "{seen} gehört zu einer anderen Runde und bleibt außer Betracht.",
        "pt": "{seen} é uma mão de outra sessão e fica de fora.",
    },
    "arrival-cave": {
        "en": "{player} comes in at hand {hand} with {seen}; what is bought is {expected}.",
        "fr": "{player} arrive à la donne {hand} avec {seen}, or on achète {expected}.",
        "de": "{player} kommt zu Hand {hand} mit {seen}, gekauft werden {expected}.",
        "pt": "{player} entra na mão {hand} com {seen}; o que se compra é {expected}.",
    },
    "arrival-cave/entrant": {
        "en": "{player} entered with {seen}; a cave is {expected} here.",
        "fr": "{player} s'est inscrit avec {seen}, la cave est ici de {expected}.",
        "de": "{player} ist mit {seen} eingestiegen, eine Cave hat hier {expected}.",
        "pt": "{player} inscreveu-se com {seen}; aqui a cave é de {expected}.",
    },
    "not-entered": {
        "en": "{player} plays hand {hand} and is not among the entrants.",
        "fr": "{player} joue la donne {hand} sans figurer parmi les inscrits.",
        "de": "{player} spielt Hand {hand} und steht nicht unter den Teilnehmern.",
        "pt": "{player} joga a mão {hand} e não está entre os inscritos.",
    },
    "session-short": {
        "en": "The session has {expected} hands, and the last one here is {seen}. "
        "The standings are those so far.",
        "fr": "La séance compte {expected} donnes, la dernière ici est la {seen}. "
        "Le classement est provisoire.",
        "de": "Die Runde hat {expected} Hände, die letzte hier ist {seen}. "
        "Die Wertung ist der Stand bis dahin.",
        "pt": "A sessão tem {expected} mãos e a última aqui é a {seen}. "
        "A classificação é provisória.",
    },
    "hand-missing": {
        "en": "Missing: hand {expected}. What comes next is unverified before its first hand.",
        "fr": "Donne manquante : {expected}. La suite n'est pas vérifiée avant sa première donne.",
        "de": "Es fehlt: Hand {expected}. Was folgt, ist vor seiner ersten Hand ungeprüft.",
        "pt": "Falta: mão {expected}. O que se segue não está verificado antes da primeira mão.",
    },
    "hand-unreadable": {
        "en": "The hand in place {seen} cannot be read: {expected}.",
        "fr": "La donne en place {seen} est illisible : {expected}.",
        "de": "Die Hand an Stelle {seen} ist nicht lesbar: {expected}.",
        "pt": "A mão na posição {seen} não se consegue ler: {expected}.",
    },
    "outcome-open": {
        "en": "What hand {hand} leaves is open. The next hand is unverified before it begins.",
        "fr": "Ce que laisse la donne {hand} reste ouvert. La suivante n'est pas vérifiée avant "
        "son début.",
        "de": "Was Hand {hand} hinterlässt, ist offen. Die nächste ist vor ihrem Beginn ungeprüft.",
        "pt": "O que a mão {hand} deixa está em aberto. A seguinte não está verificada antes do "
        "início.",
    },
    "hand-repeated": {
        "en": "{seen} is there again, word for word. It counts once, as hand {expected}.",
        "fr": "{seen} figure une seconde fois, mot pour mot. Elle compte une fois, comme donne "
        "{expected}.",
        "de": "{seen} steht noch einmal da, Wort für Wort. Es zählt einmal, als Hand {expected}.",
        "pt": "{seen} consta outra vez, palavra por palavra. Conta uma vez, como mão {expected}.",
    },
    "time-break": {
        "en": "Hand {hand} began at {seen}, before the hand that it follows, at {expected}.",
        "fr": "La donne {hand} a commencé à {seen}, avant celle qu'elle suit, à {expected}.",
        "de": "Hand {hand} begann um {seen}, vor der Hand, der sie folgt, um {expected}.",
        "pt": "A mão {hand} começou às {seen}, antes da mão que segue, às {expected}.",
    },
    "never-seated": {
        "en": "{player} entered and played no hand.",
        "fr": "{player} s'est inscrit et n'a joué aucune donne.",
        "de": "{player} ist eingestiegen und hat keine Hand gespielt.",
        "pt": "{player} inscreveu-se e não jogou nenhuma mão.",
    },
}
"""Every wording by its name, each in every language."""
