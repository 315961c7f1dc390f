# page.awk - a drawing of svg.awk's for the page of the report, half as large and with a third of the elements
#
# What lies beyond data-body is not there, since the page has title and caption in words.  Numbers have one digit behind the point, what most
# elements have stands at the root, and dots of one size and colour are one path.
function shorter(line) {
    gsub(/ (id="[^"]*"|class="gridline"|font-family="sans-serif"|font-size="11.00"|text-anchor="start"|fill="none" color="#000000" stroke="currentColor"|stroke-width="1.20")/, "", line)
    while (match(line, /\.[0-9][0-9]+/))
        line = substr(line, 1, RSTART - 1) (substr(line, RSTART + 1, 1) == "0" ? "" : substr(line, RSTART, 2)) substr(line, RSTART + RLENGTH)
    gsub(/ +/, " ", line)
    gsub(/ '/, "'", line)
    return line
}
{ sub(/^[ \t]+/, "") }
/^<svg/ {
    print "<svg fill=\"none\" color=\"#000000\" stroke=\"currentColor\" stroke-width=\"1.2\" font-family=\"sans-serif\" font-size=\"11\""
    next
}
/^viewBox=/ { split($0, word, "\""); split(word[4], body, " "); print; next }
/^(xmlns|<title>|<desc>|<style>)/ { print; next }
/^<rect x="0" y="0"/ { sub(/fill/, "stroke=\"none\" fill") }
/^<filter/, /^<\/filter>/ { next }
# a text and its group, beyond the body
/^<g transform="translate\([-0-9.]+,[-0-9.]+\)/ {
    split($0, place, /[,)]/)
    if (body[4] > 0 && (place[2] < body[2] || place[2] > body[2] + body[4])) { is_beyond = 1; next }
}
is_beyond { is_beyond = !/^<\/g>/; next }
# gpPt6 is a disc of radius 1: a line of no length has the same round end
match($0, /^<use xlink:href='#gpPt6' transform='translate\([-0-9.,]+\) scale\([0-9.]+\)' color='#[0-9a-f]+'\/>$/) {
    split($0, part, /[()']/)
    look = "<path stroke-linecap='round' stroke='" part[10] "' stroke-width='" 2 * part[7] "' d='"
    if (look != dots) printf "%s%s", dots != "" ? "'/>" : "", look
    dots = look
    sub(/,/, " ", part[5])
    printf "%s", shorter("M" part[5] "h0")
    next
}
dots != "" { dots = ""; printf "'/>" }
/^<text>/ || /^$/ { printf "%s", $0; next }
{ printf "%s%s", shorter($0), /^<\/g>/ ? "\n" : "" }
END { print "" }
