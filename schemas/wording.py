"""What is said of each finding, in English, French, German and European Portuguese.

A template may name ``{player}`` (whose act it is), ``{expected}``, ``{seen}`` and
``{expected_player}`` (where what was expected is a seat). A finding that needs more than one
sentence has its further wordings under its code and a word, such as ``declared-pots/count``.
"""

from typing import Final

LANGUAGES: Final = ("en", "fr", "de", "pt")

OR: Final[dict[str, str]] = {"en": " or ", "fr": " ou ", "de": " oder ", "pt": " ou "}

ACT_WORDS: Final[dict[str, dict[str, str]]] = {
    "ante": {
        "en": "post an ante",
        "fr": "faire la mise",
        "de": "den Grundeinsatz zahlen",
        "pt": "pagar a ante",
    },
    "carre": {"en": "carre", "fr": "se carrer", "de": "carren", "pt": "fazer carre"},
    "decline": {"en": "decline", "fr": "refuser", "de": "verzichten", "pt": "recusar"},
    "deal": {"en": "deal", "fr": "donner", "de": "geben", "pt": "dar cartas"},
    "turn": {
        "en": "turn the retourne",
        "fr": "tourner la retourne",
        "de": "die Retourne aufdecken",
        "pt": "virar o retourné",
    },
    "pass": {"en": "pass", "fr": "passer", "de": "passen", "pt": "passar"},
    "open": {"en": "open", "fr": "ouvrir", "de": "eröffnen", "pt": "abrir"},
    "call": {"en": "call", "fr": "suivre", "de": "mitgehen", "pt": "igualar"},
    "raise": {"en": "raise", "fr": "relancer", "de": "erhöhen", "pt": "aumentar"},
    "fold": {"en": "fold", "fr": "abandonner", "de": "aussteigen", "pt": "desistir"},
    "no-more": {
        "en": "say “no more”",
        "fr": "s'y tenir",
        "de": "„nicht mehr“ sagen",
        "pt": "dizer «não mais»",
    },
    "show": {"en": "show", "fr": "montrer", "de": "zeigen", "pt": "mostrar"},
}
"""The acts as infinitives, as they stand in a sentence."""

TEMPLATES: Final[dict[str, dict[str, str]]] = {
    "player-count": {
        "en": "This game is for {expected} players, and {seen} are seated.",
        "fr": "Ce jeu se joue à {expected} joueurs, et {seen} places sont prises.",
        "de": "Dieses Spiel ist für {expected} Spieler, am Tisch sitzen {seen}.",
        "pt": "Este jogo é para {expected} jogadores, e à mesa estão {seen}.",
    },
    "no-such-seat": {
        "en": "There is no seat {seen}; the last one is seat {expected}.",
        "fr": "La place {seen} n'existe pas, la dernière est la place {expected}.",
        "de": "Einen Platz {seen} gibt es nicht, der letzte ist Platz {expected}.",
        "pt": "O lugar {seen} não existe; o último é o lugar {expected}.",
    },
    "stack-empty": {
        "en": "{player} has no chips and must buy a cave of {expected} before the hand.",
        "fr": "{player} n'a pas de jetons et doit prendre une cave de {expected} avant la donne.",
        "de": "{player} hat keine Chips und muss vor dem Geben eine Cave von {expected} kaufen.",
        "pt": "{player} não tem fichas e deve comprar uma cave de {expected} antes da mão.",
    },
    "rebuy-above-zero": {
        "en": "Without the new cave {player} would have {seen}; one is bought only at {expected}.",
        "fr": "Sans la nouvelle cave, {player} aurait {seen}, or on ne se recave qu'à {expected}.",
        "de": "Ohne die neue Cave hätte {player} {seen}, gekauft wird sie nur bei {expected}.",
        "pt": "Sem a nova cave, {player} teria {seen}; só se compra outra com {expected}.",
    },
    "rebuy-amount": {
        "en": "{player} bought a cave of {seen}; at this table it is {expected}.",
        "fr": "{player} a pris une cave de {seen}, à cette table elle est de {expected}.",
        "de": "{player} hat eine Cave von {seen} gekauft, an diesem Tisch sind es {expected}.",
        "pt": "{player} comprou uma cave de {seen}; nesta mesa é de {expected}.",
    },
    "foreign-act": {
        "en": "“{seen}” is not an act of this game.",
        "fr": "Ce jeu ne connaît pas l'action « {seen} ».",
        "de": "Eine Handlung „{seen}“ gibt es in diesem Spiel nicht.",
        "pt": "Este jogo não tem a ação «{seen}».",
    },
    "wrong-stage": {
        "en": "One cannot {seen} here, only {expected}.",
        "fr": "On ne peut pas {seen} ici, seulement {expected}.",
        "de": "Hier kann man nicht {seen}, nur {expected}.",
        "pt": "Aqui não se pode {seen}, só {expected}.",
    },
    "wrong-stage/over": {
        "en": "The hand was over, and one could no longer {seen}.",
        "fr": "Le coup était fini, on ne pouvait plus {seen}.",
        "de": "Die Hand war vorbei, man konnte nicht mehr {seen}.",
        "pt": "A mão tinha acabado e já não se podia {seen}.",
    },
    "ante-amount": {
        "en": "The log has an ante of {seen} for {player}; {expected} was due.",
        "fr": "La mise notée pour {player} est de {seen}, il fallait {expected}.",
        "de": "Der Grundeinsatz ist für {player} mit {seen} notiert, fällig war {expected}.",
        "pt": "A ante registada para {player} é {seen}; a devida era {expected}.",
    },
    "ante-repeated": {
        "en": "The log has the ante of {player} twice.",
        "fr": "La mise est notée deux fois pour {player}.",
        "de": "Der Grundeinsatz ist für {player} zweimal notiert.",
        "pt": "A ante está registada duas vezes para {player}.",
    },
    "carre-closed": {
        "en": "No carre was open to {player}, neither to make nor to decline.",
        "fr": "{player} ne pouvait ici ni se carrer ni refuser.",
        "de": "Für {player} war keine Carre offen, weder zu setzen noch abzulehnen.",
        "pt": "Não havia carre em aberto para {player}, nem para fazer nem para recusar.",
    },
    "carre-amount": {
        "en": "{player} put in a carre of {seen}; a carre matches the pot, {expected}.",
        "fr": "Pour se carrer, {player} a mis {seen}, il fallait égaler le pot, {expected}.",
        "de": "{player} hat mit {seen} gecarrt, eine Carre verdoppelt den Pot von {expected}.",
        "pt": "{player} fez carre com {seen}; o carre iguala o pote, {expected}.",
    },
    "carre-unaffordable": {
        "en": "{player} has {seen} and cannot carre, which takes the whole pot, {expected}.",
        "fr": "{player} n'a que {seen} et ne peut pas se carrer, le pot étant de {expected}.",
        "de": "{player} hat nur {seen} und kann nicht carren, der Pot ist {expected}.",
        "pt": "{player} só tem {seen} e não pode fazer carre; o pote é de {expected}.",
    },
    "card-twice": {
        "en": "{seen} occurs twice in this hand.",
        "fr": "La carte {seen} apparaît deux fois dans ce coup.",
        "de": "Die Karte {seen} kommt in dieser Hand zweimal vor.",
        "pt": "A carta {seen} aparece duas vezes nesta mão.",
    },
    "card-not-in-deck": {
        "en": "{seen} is not in the deck of this table.",
        "fr": "La carte {seen} n'est pas dans le jeu de cette table.",
        "de": "Die Karte {seen} gehört nicht zum Blatt dieses Tisches.",
        "pt": "A carta {seen} não pertence ao baralho desta mesa.",
    },
    "card-count": {
        "en": "The number of cards for {player} is {seen}; a hand has {expected}.",
        "fr": "Le nombre de cartes pour {player} est {seen}, une main en compte {expected}.",
        "de": "Die Zahl der Karten für {player} ist {seen}, eine Hand hat {expected}.",
        "pt": "O número de cartas para {player} é {seen}; uma mão tem {expected}.",
    },
    "dealt-twice": {
        "en": "{player} is dealt cards twice.",
        "fr": "{player} reçoit deux fois des cartes.",
        "de": "{player} bekommt zweimal Karten.",
        "pt": "{player} recebe cartas duas vezes.",
    },
    "out-of-turn": {
        "en": "{player} acted out of turn; {expected_player} was to speak.",
        "fr": "{player} a joué hors de son tour, c'était à {expected_player} de parler.",
        "de": "{player} war nicht an der Reihe, {expected_player} war dran.",
        "pt": "{player} jogou fora da vez; cabia a {expected_player} falar.",
    },
    "not-in-hand": {
        "en": "{player} is no longer in the hand; {expected_player} was to speak.",
        "fr": "{player} n'est plus dans le coup, c'était à {expected_player} de parler.",
        "de": "{player} ist nicht mehr dabei, {expected_player} war dran.",
        "pt": "{player} já não está na mão; cabia a {expected_player} falar.",
    },
    "all-in": {
        "en": "{player} is all-in and speaks no more; {expected_player} was to speak.",
        "fr": "{player} a tout mis et ne parle plus, c'était à {expected_player} de parler.",
        "de": "{player} hat alles gesetzt und spricht nicht mehr, {expected_player} war dran.",
        "pt": "{player} já apostou tudo e não fala mais; cabia a {expected_player} falar.",
    },
    "pass-after-opening": {
        "en": "After the opening {player} cannot pass, only {expected}.",
        "fr": "Après l'ouverture, {player} ne peut plus passer, seulement {expected}.",
        "de": "Nach der Eröffnung kann {player} nicht mehr passen, nur {expected}.",
        "pt": "Depois da abertura, {player} já não pode passar, só {expected}.",
    },
    "fold-before-opening": {
        "en": "Before the opening nobody folds; {player} may {expected}.",
        "fr": "Avant l'ouverture on n'abandonne pas, {player} peut {expected}.",
        "de": "Vor der Eröffnung steigt niemand aus, {player} kann {expected}.",
        "pt": "Antes da abertura não se desiste; {player} pode {expected}.",
    },
    "not-opened": {
        "en": "Nobody has opened yet: {player} cannot {seen}, only {expected}.",
        "fr": "Personne n'a encore ouvert, {player} ne peut pas {seen}, seulement {expected}.",
        "de": "Noch hat niemand eröffnet, {player} kann nicht {seen}, nur {expected}.",
        "pt": "Ainda ninguém abriu; {player} não pode {seen}, só {expected}.",
    },
    "already-opened": {
        "en": "The opening has been made: {player} cannot open again, only {expected}.",
        "fr": "L'ouverture est faite, {player} ne peut plus ouvrir, seulement {expected}.",
        "de": "Eröffnet ist schon, {player} kann nur noch {expected}.",
        "pt": "A abertura já foi feita; {player} só pode {expected}.",
    },
    "open-below-minimum": {
        "en": "{player} opened with {seen}; an opening adds at least {expected} here.",
        "fr": "{player} a ouvert avec {seen}, il fallait au moins {expected}.",
        "de": "{player} hat mit {seen} eröffnet, das Mindeste war {expected}.",
        "pt": "{player} abriu com {seen}; o mínimo era {expected}.",
    },
    "open-unreachable": {
        "en": "{player} has {seen} and cannot open, which takes {expected}.",
        "fr": "{player} n'a que {seen} et ne peut pas ouvrir, il faut {expected}.",
        "de": "{player} hat nur {seen} und kann nicht eröffnen, dazu braucht es {expected}.",
        "pt": "{player} só tem {seen} e não pode abrir; o mínimo é {expected}.",
    },
    "call-amount": {
        "en": "{player} called with {seen}; the call was {expected}.",
        "fr": "{player} a suivi avec {seen}, il fallait {expected}.",
        "de": "{player} ist mit {seen} mitgegangen, nötig war {expected}.",
        "pt": "{player} igualou com {seen}; o valor certo era {expected}.",
    },
    "raise-below-minimum": {
        "en": "{player} raised by adding {seen}; a raise adds at least {expected} here.",
        "fr": "{player} a relancé en ajoutant {seen}, il fallait au moins {expected}.",
        "de": "{player} hat mit {seen} erhöht, das Mindeste war {expected}.",
        "pt": "{player} aumentou com {seen}; o mínimo era {expected}.",
    },
    "raise-unreachable": {
        "en": "{player} has {seen} and cannot raise, which takes {expected}.",
        "fr": "{player} n'a que {seen} et ne peut pas relancer, il faut {expected}.",
        "de": "{player} hat nur {seen} und kann nicht erhöhen, dazu braucht es {expected}.",
        "pt": "{player} só tem {seen} e não pode aumentar; o mínimo é {expected}.",
    },
    "over-stack": {
        "en": "{player} put in {seen}; a va-tout is {expected}, all that was left.",
        "fr": "{player} a mis {seen}, son va-tout n'est que de {expected}.",
        "de": "{player} hat {seen} gesetzt, das Va-tout ist nur {expected}.",
        "pt": "{player} pôs {seen}; o seu va-tout é só {expected}.",
    },
    "no-more-early": {
        "en": "Not everybody has answered: {player} can only {expected}.",
        "fr": "Tous n'ont pas encore répondu, {player} peut seulement {expected}.",
        "de": "Noch haben nicht alle geantwortet, {player} kann nur {expected}.",
        "pt": "Ainda nem todos responderam; {player} só pode {expected}.",
    },
    "call-in-no-more": {
        "en": "Everybody has called: {player} cannot {seen}, only {expected}.",
        "fr": "Tous ont suivi, {player} ne peut pas {seen}, seulement {expected}.",
        "de": "Alle sind mitgegangen, {player} kann nicht {seen}, nur {expected}.",
        "pt": "Todos igualaram; {player} não pode {seen}, só {expected}.",
    },
    "fold-in-no-more": {
        "en": "Everybody has called: {player} cannot fold, only {expected}.",
        "fr": "Tous ont suivi, {player} ne peut plus abandonner, seulement {expected}.",
        "de": "Alle sind mitgegangen, {player} kann nicht mehr aussteigen, nur {expected}.",
        "pt": "Todos igualaram; {player} já não pode desistir, só {expected}.",
    },
    "betting-closed": {
        "en": "The betting was closed: {player} could not {seen}, only {expected}.",
        "fr": "Les enchères étaient closes, {player} ne pouvait pas {seen}, seulement {expected}.",
        "de": "Das Setzen war beendet, {player} konnte nicht {seen}, nur {expected}.",
        "pt": "As apostas estavam fechadas; {player} não podia {seen}, só {expected}.",
    },
    "hand-over": {
        "en": "The hand was over, and {player} could no longer {seen}.",
        "fr": "Le coup était fini, {player} ne pouvait plus {seen}.",
        "de": "Die Hand war vorbei, {player} konnte nicht mehr {seen}.",
        "pt": "A mão tinha acabado e {player} já não podia {seen}.",
    },
    "hand-incomplete": {
        "en": "The log ends before the hand does.",
        "fr": "Le relevé s'arrête avant la fin du coup.",
        "de": "Das Protokoll endet, bevor die Hand zu Ende ist.",
        "pt": "O registo acaba antes de a mão acabar.",
    },
    "show-early": {
        "en": "{player} showed before the showdown, when one could only {expected}.",
        "fr": "{player} a montré avant l'abattage, quand on pouvait seulement {expected}.",
        "de": "{player} hat vor dem Aufdecken gezeigt, als man nur {expected} konnte.",
        "pt": "{player} mostrou antes do confronto, quando só se podia {expected}.",
    },
    "show-differs": {
        "en": "{player} showed {seen}; the deal has {expected}.",
        "fr": "{player} a montré {seen}, la donne porte {expected}.",
        "de": "{player} hat {seen} gezeigt, gegeben war {expected}.",
        "pt": "{player} mostrou {seen}; a distribuição tem {expected}.",
    },
    "opened-at-par": {
        "en": "{player}, level already, opened for {seen}. That is legal and rare.",
        "fr": "{player}, déjà au niveau, a ouvert avec {seen}. C'est permis, et rare.",
        "de": "{player}, schon gleichauf, hat mit {seen} eröffnet. Das ist erlaubt und selten.",
        "pt": "{player}, já ao nível, abriu com {seen}. É permitido, e raro.",
    },
    "shown-without-showdown": {
        "en": "{player} showed though there was no showdown. It earns no premium.",
        "fr": "{player} a montré sans qu'il y ait d'abattage. Cela ne donne droit à aucune prime.",
        "de": "{player} hat gezeigt, obwohl nicht aufgedeckt wurde. Eine Prämie bringt das nicht.",
        "pt": "{player} mostrou sem haver confronto. Isso não dá direito a prémio.",
    },
    "cards-missing": {
        "en": "The result hangs on cards that the log does not show ({expected}).",
        "fr": "Le résultat dépend de cartes que le relevé ne montre pas ({expected}).",
        "de": "Das Ergebnis hängt an Karten, die das Protokoll nicht zeigt ({expected}).",
        "pt": "O resultado depende de cartas que o registo não mostra ({expected}).",
    },
    "declared-pots/count": {
        "en": "The number of pots declared is {seen}; there should be {expected}.",
        "fr": "Le nombre de pots déclarés est {seen}, il devrait être {expected}.",
        "de": "Die Zahl der angegebenen Pots ist {seen}, es müssten {expected} sein.",
        "pt": "O número de potes declarados é {seen}; deveria ser {expected}.",
    },
    "declared-pots/amount": {
        "en": "A pot is declared as {seen}; it holds {expected}.",
        "fr": "Un pot est déclaré à {seen}, il contient {expected}.",
        "de": "Ein Pot ist mit {seen} angegeben, darin sind {expected}.",
        "pt": "Um pote está declarado com {seen}; contém {expected}.",
    },
    "declared-pots/winners": {
        "en": "The winners of a pot are declared as {seen}; they are {expected}.",
        "fr": "Un pot est déclaré gagné par {seen}, il l'est par {expected}.",
        "de": "Als Gewinner eines Pots steht da {seen}, richtig ist {expected}.",
        "pt": "Um pote está declarado como ganho por {seen}; ganha-o {expected}.",
    },
    "declared-premiums": {
        "en": "The net premium of {player} is declared as {seen}; it is {expected}.",
        "fr": "La prime nette déclarée pour {player} est {seen}, elle est de {expected}.",
        "de": "Die Prämie ist für {player} netto mit {seen} angegeben, sie ist {expected}.",
        "pt": "O prémio líquido declarado para {player} é {seen}; na verdade é {expected}.",
    },
    "declared-premiums/no-seat": {
        "en": "A premium of {seen} is declared for a seat that does not exist.",
        "fr": "Une prime de {seen} est déclarée pour une place qui n'existe pas.",
        "de": "Für einen Platz, den es nicht gibt, ist eine Prämie von {seen} angegeben.",
        "pt": "Está declarado um prémio de {seen} para um lugar que não existe.",
    },
    "declared-stacks": {
        "en": "The final stack of {player} is declared as {seen}; it is {expected}.",
        "fr": "Les jetons déclarés pour {player} en fin de coup sont {seen}, il y en a {expected}.",
        "de": "Am Ende sind für {player} {seen} Chips angegeben, es sind {expected}.",
        "pt": "As fichas finais declaradas para {player} são {seen}; na verdade são {expected}.",
    },
    "declared-stacks/count": {
        "en": "The number of final stacks declared is {seen}; there are {expected} seats.",
        "fr": "Le nombre de stacks finaux déclarés est {seen}, il y a {expected} places.",
        "de": "Die Zahl der angegebenen Endstände ist {seen}, es gibt {expected} Plätze.",
        "pt": "O número de totais finais declarados é {seen}; há {expected} lugares.",
    },
    "declared-stacks/sum": {
        "en": "The final stacks declared add up to {seen}; the table has {expected}.",
        "fr": "Les jetons déclarés font {seen} en tout, la table en a {expected}.",
        "de": "Die angegebenen Endstände ergeben zusammen {seen}, am Tisch sind {expected}.",
        "pt": "As fichas finais declaradas somam {seen}; a mesa tem {expected}.",
    },
    "declared-carried": {
        "en": "The pot carried on is declared as {seen}; it is {expected}.",
        "fr": "Le pot reporté est déclaré à {seen}, il est de {expected}.",
        "de": "Der stehen bleibende Pot ist mit {seen} angegeben, er ist {expected}.",
        "pt": "O pote transitado está declarado com {seen}; é de {expected}.",
    },
    "unknown-key": {
        "en": "The format has no {seen}. Did you mean “{expected}”?",
        "fr": "Le format ne connaît pas {seen}. Vouliez-vous écrire « {expected} » ?",
        "de": "Das Format kennt {seen} nicht. War „{expected}“ gemeint?",
        "pt": "O formato não tem {seen}. Queria escrever «{expected}»?",
    },
    "unknown-key/no-suggestion": {
        "en": "The format has no {seen}. What is your own belongs under “x”.",
        "fr": "Le format ne connaît pas {seen}. Ce qui vous est propre va sous « x ».",
        "de": "Das Format kennt {seen} nicht. Eigenes gehört unter „x“.",
        "pt": "O formato não tem {seen}. O que é seu vai em «x».",
    },
}
"""Every wording by its name, each in every language."""
