# tables.awk - writes tables.h: the natural logarithm and the softplus as integers, so that no machine's libm decides a value
#
# No entry is nearer than 1e-4 to where it would round the other way; test_stixels_problem computes each again.
function table(name, last, unit, exponential, i) {
    printf "#define STIXELS_%s_TABLE", name
    for (i = 0; i <= last; i++)
        printf "%s %d", i ? "," : "", unit * log(1 + (exponential ? exp(-i / 64) : i / 1024)) + 0.5
    print ""
}
BEGIN {
    printf "#define STIXELS_LN2_Q20 %d\n", 2 ^ 20 * log(2) + 0.5
    print "/* log(1 + i / 1024) in 1/2^20, i = 0..1024 */"
    table("LOG", 1024, 2 ^ 20, 0)
    print "/* log(1 + exp(-i / 64)) in 1/2^16, i = 0..534; the one behind them, 0, stands for all beyond */\n#define STIXELS_SOFTPLUS_LAST 535"
    table("SOFTPLUS", 534, 2 ^ 16, 1)
}
