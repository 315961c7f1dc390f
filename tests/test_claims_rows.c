/* test_claims_rows.c - verdicts on measured rows: which of them count, noise, shape, counters, sessions, and cards cut to size */
#include "tests/claims_made.h"

#define FIRST "20260101T000000Z-0000001"
#define CUT   "20260102T000000Z-0000002"
#define LATER "20260103T000000Z-0000003"
#define LAST  "20260104T000000Z-0000004"

/* On a card of 132 multiprocessors at 2000 MHz: the whole of it, as old rows have it and as new ones, and parts, newer. */
#define CUT_HEAD \
    "row_id,impl,gpu_mhz_med,mode_name,sms,experiment,size,mean_ms,ci_lo_ms,ci_hi_ms,fps\n"

static int begin(void **unused)
{
    char counters[700];

    (void)unused;
    begin_in("claims_rows");
    write_file(paper, "x.csv",
               "paper,figure,impl,mode_name,name,value,printed,unit,read,where\n"
               "x,t,a,HIGH,ms,10.0,10.0,ms,table,first\n"
               "x,t,a,LOW,ms,20.0,20.0,ms,table,second\n"
               "x,t,b,,ms,80.0,80.0,ms,table,third\n");
    write_session(
        folder, FIRST,
        "row_id,utc,profile,impl,status,verdict,n,mean_ms,ci_lo_ms,ci_hi_ms,seed,size\n"
        "r1,1,paper,a,ok,exact,30,7,,,1,1\n"
        "r2,2,paper,a,ok,exact,30,5,,,1,1\n" /* counts: the newest that is right */
        "r3,3,quick,a,ok,exact,30,9,,,1,1\n"
        "r4,4,paper,a,wrong,wrong,30,1,,,1,1\n"
        "r5,1,paper,b,ok,exact,30,19.99,,,1,1\n"
        "r6,1,paper,b,ok,exact,30,20.01,,,2,1\n"
        "r7,1,paper,c,ok,within,30,1,,,1,1\n"
        "r8,1,paper,c,ok,within,30,2,,,1,2\n"
        "r11,1,paper,five,ok,exact,30,5,4.9,5.1,1,\n"
        "r12,1,paper,near,ok,exact,30,5.05,4.95,5.15,1,\n"
        "r13,1,paper,six,ok,exact,30,6,5.9,6.1,1,\n"
        "r14,1,paper,once,ok,exact,1,9,9,9,1,\n"
        "r15,1,paper,seeds,ok,exact,1,5,5,5,1,\n"
        "r16,1,paper,seeds,ok,exact,1,7,7,7,2,\n"
        "r17,1,paper,seeds,ok,exact,1,9,9,9,3,\n"
        "r18,1,profile,probed,ok,exact,30,1,1,1,1,\n"
        "r19,1,paper,ten,ok,exact,30,10,10,10,1,\n");
    write_file(folder, FIRST ".values.csv",
               "row_id,name,index,value,unit\n"
               "r2,passes,,6,\nr2,share,0,50,%\n"
               "r11,share,1,90,%\nr11,share,2,50,%\nr11,shares,,7,\n");
    write_session(folder, "20260101T000000Z-0000009",
                  CUT_HEAD "r1,x/gpu,2000,any,,y/t,1,1,0.99,1.01,1000\n"
                           "r2,x/gpu,2000,any,132,y/t,2,1.5,1.49,1.51,667\n"
                           "r3,x/gpu,2000,any,,y/t,4,9,8.9,9.1,111\n");
    write_session(folder, CUT,
                  CUT_HEAD "r1,x/gpu,2000,any,8,y/cut,1,5,4.95,5.05,200\n"
                           "r2,x/gpu,2000,any,8,y/cut,2,20,19.8,20.2,50\n"
                           "r3,x/gpu,2000,any,16,y/cut,1,2.5,2.45,2.55,400\n"
                           "r4,x/gpu,2000,any,8,y/t,1,5,4.95,5.05,200\n"
                           "r5,x/gpu,2000,any,132,y/cut,4,1.1,1.09,1.11,909\n");
    snprintf(counters, sizeof counters, "%s/ncu", folder);
    write_file(
        counters, "a.csv",
        "utc,commit,gpu,experiment,impl,stage,kernel,ipc\n1,c1,a card,x/t,five,dp,k,9\n");
    write_file(counters, "b.csv",
               "utc,commit,gpu,experiment,impl,stage,kernel,ipc\n"
               "2,c1,a card,x/t,five,dp,k,1.5\n"
               "2,c1,a card,x/t,five,compact,k,1\n"
               "2,c1,a card,x/t,five,compact,l,\n");
    assert_int_equal(claim_machine_read(folder, NULL, &machine), BENCH_OK);
    return 0;
}

/* ---- verdicts ---- */

#define OURS(impl, more) "ours(x/t, impl=" impl more ", mean_ms)"
#define MS(impl)         OURS(impl, "")
#define SEEDS            OURS("seeds", ", seed=*")

static void rows_are_judged(void **unused)
{
    static const struct verdict cases[] = {
        {VALUE("5.2") TOL ROWS(MS("a")), HOLDS, "5 on a card, printed 5.2: within 10%"},
        {VALUE("7.0") TOL ROWS(MS("a")), FAILS, "printed 7: lower, not within 10%"},
        {VALUE("5.0") TOL "hardware=*board*\n" ROWS(MS("a")), OPEN,
         "no verdict on an absolute value; not board"},
        {VALUE("5.0") TOL "hardware=*CARD\n" ROWS(MS("a")), HOLDS, ""},
        /* (19.99 + 20.01) / 2 / 5 */
        {RATIO("4.0") TOL ROWS(OURS("b", ", seed=*") "/" MS("a")), HOLDS, "4 on a card"},
        {RATIO("4.0") TOL ROWS("1.5 *" OURS("b", ", seed=2") "/" MS("a")), SHAPE,
         "within a factor of 2"},
        {RATIO("4.0") TOL ROWS(MS("a") "/" OURS("b", ", seed=1")), FAILS, "not within"},
        {RATIO("4.0") TOL "hardware=*board*\n" ROWS(OURS("b", ", seed=*") "/" MS("a")), SHAPE,
         "not board"},
        {ORDER ROWS(MS("a") " < " OURS("b", ", seed=1")), HOLDS, "it holds on a card"},
        {ORDER "hardware=board\n" ROWS(MS("a") " < 6"), SHAPE, "it holds on a card; not board"},
        {ORDER ROWS(MS("a") " < 4"), FAILS, "does not hold"},
        {CLAIM("monotone") ROWS("rising(" OURS("c", ", size=1") ", " OURS("c", ", size=2") ")"),
         HOLDS, ""},
        {CLAIM("bound") "printed=6\n" ROWS("ours(x/t, impl=a, passes) <= $printed"), HOLDS, ""},
        /* what cannot be judged says why */
        {ORDER ROWS(MS("q") " < 1"), OPEN, "no row of x/t with impl=q"},
        {ORDER ROWS(MS("c") " < 1"), OPEN, "rows that differ in size"},
        {ORDER ROWS("ours(x/none, impl=a, mean_ms) < 1"), OPEN, "no row of x/none here"},
        {ORDER ROWS("ours(x/t, impl=five, height=8, mean_ms) < 6"), OPEN, "height=8"},
        {ORDER ROWS(MS("probed") " < 6"), OPEN, "no verified row of x/t: ok"},
        {ORDER "missing=no energy\n", OPEN, "no energy"},
        /* a series has no one value */
        {ORDER ROWS("ours(x/t, impl=a, share) < 1"), OPEN, "no share in the rows of x/t"},
        {ORDER ROWS("ours(x/t, impl=five, share[2]) < ours(x/t, impl=five, share[1])"), HOLDS,
         ""},
        {ORDER ROWS("ours(x/t, impl=five, share[3]) < 1"), OPEN, "no share[3]"},
        {ORDER ROWS("ours(x/t, impl=five, shares) < 8"), HOLDS, ""},
        /* a list is the mean of all of it */
        {VALUE("5.5") TOL ROWS(MS("five|six")), HOLDS, "5.5 on a card"},
        {VALUE("5.5") TOL ROWS(MS("five|six|none")), OPEN, "impl=none"},
        /* where the paper's own numbers give another one, either reading may be the true one */
        {RATIO("9.0") TOL PAPER("paper(x/t, impl=b, ms) / paper(x/t, mode_name=LOW, ms)")
             ROWS(OURS("b", ", seed=*") "/" MS("a")),
         HOLDS, "by the paper's own numbers 4"},
        /* other inputs are another experiment */
        {VALUE("5.0") TOL "differs=other maps\n" ROWS(MS("five")), OPEN,
         "no verdict on an absolute value; other maps"},
        {RATIO("2.0") TOL "differs=other maps\n" ROWS(MS("ten") "/" MS("five")), SHAPE,
         "within 10%; other maps"},
        {ORDER "differs=other maps\n" ROWS(MS("five") " < " MS("six")), SHAPE, "other maps"},
        {ORDER "differs=other maps\n" ROWS(MS("six") " < " MS("five")), FAILS, "other maps"},
        /* and a bound in ms is of its hardware */
        {CLAIM("bound") "unit=ms\nhardware=*board*\n" ROWS(MS("five") " < 50"), OPEN,
         "no verdict on an absolute bound; not board"},
        {CLAIM("bound") "unit=ms\nhardware=*card*\n" ROWS(MS("five") " < 50"), HOLDS, ""},
        {CLAIM("bound") "unit=x\nhardware=*board*\n" ROWS(MS("five") " < 50"), SHAPE, ""},
    };

    (void)unused;
    all_judged(cases, N(cases), &machine);
}

static void shape_is_within_a_factor_of_2(void **unused)
{
    static const struct {
        const char *printed, *unit, *measured;
        enum claim_verdict verdict;
    } cases[] = {
        {"4.0", "x", "4.3", HOLDS},   {"4.0", "x", "5.6", SHAPE},
        {"4.0", "x", "2.1", SHAPE},   {"4.0", "x", "1.9", FAILS},
        {"4.0", "x", "8.1", FAILS},   {"4.0", "x", "1.1", FAILS},
        {"4.0", "x", "0.25", FAILS},  {"1.50", "x", "1.20", FAILS},
        {"1.50", "x", "1.26", SHAPE}, {"1.30", "x", "1.16", SHAPE},
        {"1.30", "x", "1.10", FAILS}, {"1.01", "x", "1.00", HOLDS},
        {"1.50", "x", "2.5", FAILS},  {"0.50", "x", "0.60", SHAPE},
        {"0.50", "x", "0.90", FAILS}, {"62", "%", "40", SHAPE},
        {"62", "%", "30", FAILS},
    };

    (void)unused;
    for (size_t i = 0; i < N(cases); i++) {
        char text[400];

        snprintf(text, sizeof text, "%sprinted=%s\nunit=%s\nmeasured=%s / 10 * %s\n",
                 CLAIM("ratio") TOL, cases[i].printed, cases[i].unit, MS("ten"),
                 cases[i].measured);
        all_judged(&(struct verdict){text, cases[i].verdict, ""}, 1, &machine);
    }
}

static void faster_is_by_more_than_noise(void **unused)
{
    static const struct verdict cases[] = {
        {ORDER ROWS(MS("five") " < " MS("six")), HOLDS, "it holds on a card"},
        {ORDER ROWS(MS("six") " < " MS("five")), FAILS, "does not hold"},
        {ORDER ROWS(MS("five") " < " MS("near")), OPEN, "within the noise"},
        {ORDER ROWS(MS("near") " < " MS("five")), OPEN, "within the noise"},
        {ORDER ROWS("rising(" MS("five") "," MS("near") "," MS("six") ")"), OPEN, "the noise"},
        {ORDER ROWS(MS("six") "/" MS("five") " > 1.25"), FAILS, ""},
        {ORDER ROWS(MS("six") "/" MS("five") " > 1.2"), OPEN, "within the noise"},
        {ORDER "digits=exact\n" ROWS(MS("five") " < " MS("six")), HOLDS, ""},
        {ORDER "digits=exact\n" ROWS(MS("five") " < " MS("near")), OPEN, "noise"},
        /* seeds scatter: 7 +- 4.30 * 2 / sqrt 3 = 7 +- 4.97 */
        {ORDER ROWS(SEEDS " < 11.9"), OPEN, "within the noise"},
        {ORDER ROWS(SEEDS " < 12.1"), HOLDS, ""},
        {ORDER ROWS(SEEDS " < 2"), FAILS, ""},
        /* 4.9 to 5.1 */
        {VALUE("5.00") TOL ROWS(MS("five")), HOLDS, "within 10%"},
        {VALUE("4.70") TOL ROWS(MS("five")), HOLDS, ""},
        {VALUE("4.60") TOL ROWS(MS("five")), OPEN,
         "undecided, the noise spans the edge of 10%"},
        {VALUE("4.50") TOL ROWS(MS("five")), OPEN, "undecided"},
        {VALUE("4.40") TOL ROWS(MS("five")), FAILS, "higher, not within 10%"},
        /* one run decides nothing */
        {ORDER ROWS(MS("five") " < " MS("once")), OPEN, "single runs"},
        {ORDER ROWS(MS("once") " < " MS("five")), OPEN, "say no"},
        {ORDER ROWS(OURS("five", ", seed=*") " < 6"), OPEN, "single runs"},
        {VALUE("9.0") TOL ROWS(MS("once")), OPEN, "single runs of unknown noise"},
        {VALUE("1.0") TOL ROWS(MS("once")), OPEN, "9 on a card, printed 1"},
    };

    (void)unused;
    all_judged(cases, N(cases), &machine);
}

static void counters_are_cells(void **unused)
{
#define IPC(more) "counters(x/t, impl=five, " more ", ipc)"
    static const struct verdict cases[] = {
        {CLAIM("value") "printed=1.5\nunit=IPC\nhardware=*card\n" ROWS(IPC("stage=dp")), HOLDS,
         "1.5 on a card"}, /* the newest */
        {ORDER ROWS(IPC("stage=compact") " < 2"), OPEN, "2 kernels fit"},
        {ORDER ROWS(IPC("stage=compact, kernel=l") " < 2"), OPEN, "no ipc in"},
        {ORDER ROWS(IPC("stage=none") " < 2"), OPEN, "no counters of x/t here"},
        {ORDER "hardware=board\n" ROWS(IPC("stage=dp") " < 2"), SHAPE, "not board"},
    };
    static const struct refusal slips[] = {
        {ORDER ROWS(IPC("hue=dp") " < 2"), "counters have no column 'hue'"},
        {ORDER ROWS("ours(x/t, imlp=five, mean_ms) < 6"), "rows have no column 'imlp'"}};
    struct claim_judgement j;

    (void)unused;
    all_judged(cases, N(cases), &machine);
    for (size_t i = 0; i < N(slips); i++) { /* a slip in a key is no missing row */
        parse(slips[i].text);
        assert_int_equal(claims_judge(&claims, claims.claim, &machine, NULL, &j), BENCH_EINPUT);
        assert_non_null(strstr(bench_failure(), slips[i].why));
    }
    all_refused(&(struct refusal){ORDER PAPER(IPC("stage=dp") " < 2"), "printed numbers alone"},
                1);
}

/* ---- cards cut to the size of the paper's ---- */

#define GPU(size) "ours(y/t, impl=x/gpu, size=" size ", mean_ms)"
#define SMS(sms)  "hardware=*board*\nscaled=" sms ", 1000 MHz\n"
#define BOARD     SMS("8 SMs")
#define REAL      "hardware=*card*\nscaled=8 SMs, 1000 MHz\n"

static void a_card_that_is_cut_stands_for_the_board(void **unused)
{
    static const struct verdict cases[] = {
        /* 5 ms at 2000 MHz are 10 at 1000; the whole card is named, and not taken */
        {VALUE("10.0") BOARD ROWS(GPU("1")), AGREES,
         "10 on 8 of 132 SMs of a card as at 1000 MHz, printed 10: within 25%; the whole card: "
         "1"},
        {VALUE("8.2") BOARD ROWS(GPU("1")), AGREES, "within 25%"},
        {VALUE("7.5") BOARD ROWS(GPU("1")), DIFFERS, "higher, not within 25%"},
        {VALUE("14.0") BOARD ROWS(GPU("1")), DIFFERS, "lower, not within 25%"},
        {VALUE("8.0") BOARD ROWS(GPU("1")), OPEN, "undecided, the noise spans the edge of 25%"},
        /* a rate inversely */
        {CLAIM("value") "unit=fps\nprinted=100\n" BOARD ROWS(
             "ours(y/t, impl=x/gpu, size=1, fps)"),
         AGREES, "100 on 8 of 132 SMs"},
        {CLAIM("value") "unit=fps\nprinted=100\n" BOARD ROWS("1000 / " GPU("1")), AGREES,
         "100 on 8 of 132 SMs"},
        {CLAIM("bound") "unit=ms\n" BOARD ROWS(GPU("1") " < 8"), DIFFERS,
         "it does not hold on 8 of 132 SMs"},
        {CLAIM("bound") "unit=ms\n" BOARD ROWS(GPU("1") " < 12"), AGREES,
         "it holds on 8 of 132 SMs"},
        /* a ratio as it is */
        {RATIO("4.0") BOARD ROWS(GPU("2") "/" GPU("1")), AGREES,
         "4 on 8 of 132 SMs of a card, printed 4: within 25%; the whole card: 1.5"},
        {RATIO("6.0") BOARD ROWS(GPU("2") "/" GPU("1")), DIFFERS,
         "lower, not within 25%, but within a factor of 2; the whole card: 1.5"},
        {ORDER BOARD ROWS("3 < " GPU("2") " / " GPU("1")), AGREES,
         "it holds on 8 of 132 SMs of a card; the whole card: it does not"},
        {VALUE("5.0") SMS("15 SMs as 16") ROWS(GPU("1")), AGREES,
         "5 on 16 of 132 SMs of a card as at 1000 MHz"},
        /* the clock stands for the power mode */
        {VALUE("10.0") BOARD ROWS("ours(y/t, impl=x/gpu, size=1, mode_name=HIGH, mean_ms)"),
         AGREES, ""},
        /* without its rows a claim is as before */
        {VALUE("10.0") SMS("24 SMs") ROWS(GPU("1")), OPEN,
         "1 ms on a card, printed 10: no verdict on an absolute value"},
        {VALUE("10.0") BOARD ROWS(GPU("1") " + " GPU("3")), OPEN, "size=3"},
        {RATIO("1.5") TOL SMS("24 SMs") ROWS(GPU("2") "/" GPU("1")), SHAPE, "1.5 on a card"},
        /* real hardware is never scaled, nor a part of it where it has no row of the whole */
        {VALUE("1.00") TOL REAL ROWS(GPU("1")), HOLDS, "1 on a card"},
        {VALUE("10.0") TOL REAL ROWS(GPU("1")), FAILS, "1 on a card"},
        {VALUE("10.0") REAL ROWS("ours(y/none, impl=x/gpu, size=1, mean_ms)"), OPEN,
         "no row of y/none here"},
    };

    (void)unused;
    all_judged(cases, N(cases), &machine);
    parse("[t]\neach=x/t, name=ms, impl=a\nid=t[{mode_name}]\nkind=value\nhardware=*board*\n"
          "scaled=8 SMs, {mode_name: HIGH=1000, LOW=500} MHz\n"
          "measured=ours(y/t, impl=x/gpu, size=1, mode_name={mode_name}, mean_ms)\n");
    for (int i = 0; i < 2; i++) {
        assert_true(judge(i, &machine).verdict == AGREES && judge(i, &machine).scaled);
        assert_true(judge(i, &machine).value > 9.9 + 10 * i &&
                    judge(i, &machine).value < 10.1 + 10 * i);
    }
}

#define PART(source, size, more) "ours(" source ", impl=x/gpu, size=" size more ", mean_ms)"

static void a_part_and_the_whole_are_two_cells(void **unused)
{
    static const struct verdict cases[] = {
        /* there is a row of the same experiment that is newer, of 8 multiprocessors */
        {VALUE("1.00") TOL ROWS(GPU("1")), HOLDS, "1 on a card"},
        {VALUE("1.00") TOL ROWS(PART("y/t", "1", ", sms=all")), HOLDS, "1 on a card"},
        /* an old row, which says nothing, and a new one of all are of one cell: the newer counts, whatever it was taken for */
        {VALUE("1.10") TOL ROWS(GPU("4")), HOLDS, "1.1 on a card"},
        {VALUE("1.10") TOL ROWS(PART("y/*", "4", "")), HOLDS, "1.1 on a card"},
        {VALUE("1.10") TOL ROWS(PART("y/*", "4", ", sms=132")), HOLDS, "1.1 on a card"},
        {CLAIM("bound") ROWS(PART("y/*", "*", "") " < 2"), HOLDS,
         ""}, /* nor a mean with them */
        {VALUE("5.00") TOL ROWS(PART("y/t", "1", ", sms=8")), HOLDS, "5 on a card"},
        {VALUE("1.50") TOL ROWS(PART("y/t", "2", ", sms=8")), OPEN, "no row of y/t"},
        {VALUE("1.00") TOL ROWS(PART("y/t", "1", ", sms=16")), OPEN, "no row of y/t"},
    };

    (void)unused;
    all_judged(cases, N(cases), &machine);
}

static void an_explanation_says_what_does_not_scale(void **unused)
{
    static const char *const parts[] = {"-> 1 REPRODUCED, 1 SCALED-AGREES, 1 SCALED-DIFFERS\n",
                                        "scaled to 8 SMs, 1000 MHz",
                                        "what does not scale",
                                        "260 GB/s",
                                        "5 at 2000 MHz",
                                        "20260101T000000Z-0000009",
                                        CUT};
    struct text page = {0}, csv = {0};

    (void)unused;
    parse(
        VALUE("10.0")
            TOL BOARD ROWS(GPU("1")) "[q]\nwhere=b\nkind=ratio\nunit=x\nprinted=9\n" BOARD ROWS(
                GPU("2") "/" GPU("1")) "[p]\nwhere=c\nkind=order\n" ROWS(GPU("1") " < 2"));
    assert_int_equal(report(&machine, "r", &page, &csv), BENCH_OK);
    for (size_t i = 0; i < N(parts); i++)
        has(&page, parts[i]);
    has(&csv, "\"SCALED-AGREES\"");
    has(&csv,
        ",\"25\",\"so\",\"kernel\",\"*board*\",\"8 of 132 SMs of a card as at 1000 MHz\"");
    text_free(&page);
    text_free(&csv);
}

static void wrong_keys_are_refused(void **unused)
{
#define SCALED(as) VALUE("1") "hardware=b\nscaled=" as "\n" ROWS(GPU("1"))
    static const struct refusal cases[] = {
        {SCALED("8"), "expected 'scaled' as"},
        {SCALED("8 SMs, 1377 MHz or so"), "expected 'scaled' as"},
        {SCALED("0 SMs, 1377 MHz"), "expected 'scaled' as"},
        {VALUE("1") "scaled=8 SMs, 1377 MHz\n" ROWS(GPU("1")),
         "is scaled and has no 'hardware'"},
        {VALUE("1") BOARD "missing=why\n", "has 'scaled' and no 'measured'"},
        {VALUE("1") BOARD ROWS("ours(y/t, impl=x/gpu, sm_count)"),
         "expected times alone in a scaled"},
        {VALUE("1") BOARD ROWS("counters(y/t, impl=x/gpu, ipc)"),
         "expected times alone in a scaled"},
        {ORDER "session=day\n" ROWS(GPU("1") " < 1"),
         "expected 'one' for session, found 'day'"},
        {ORDER "session=one\n" PAPER("1<2"), "has 'session' and no 'measured'"},
    };

    (void)unused;
    all_refused(cases, N(cases));
}

/* ---- rows of several sessions ---- */

static void read_again(const char *in)
{
    claim_machine_free(&machine);
    assert_int_equal(claim_machine_read(in, NULL, &machine), BENCH_OK);
}

static void rows_that_belong_together_are_of_one_session(void **unused)
{
    static const struct verdict two[] = {
        {ORDER ROWS(GPU("1") " < " GPU("2")), FAILS, "rows of several commits"},
        {ORDER "session=one\n" ROWS(GPU("1") " < " GPU("2")), HOLDS, "it holds on a card"},
        {ORDER "session=one\n" ROWS(GPU("2") " < " PART("y/cut", "1", ", sms=8")), OPEN,
         "no session has all of its rows"}};

    (void)unused;
    /* the newest of each cell are of two sessions; the older one has both */
    write_session(folder, LATER, CUT_HEAD "r1,x/gpu,2000,any,132,y/t,1,3,2.9,3.1,333\n");
    read_again(folder);
    all_judged(two, N(two), &machine);
    parse(two[1].text);
    assert_null(strstr(judge(0, &machine).reason, "commits"));
    /* a newer one has both, of one run each: its noise is not known */
    write_session(folder, LAST,
                  "row_id,impl,sms,experiment,n,size,mean_ms,ci_lo_ms,ci_hi_ms\n"
                  "r1,x/gpu,132,y/t,1,1,4,4,4\n"
                  "r2,x/gpu,132,y/t,1,2,2,2,2\n");
    read_again(folder);
    all_judged(&two[1], 1, &machine);
}

/* Teams of a variant: 12 in an old session whose build knew no chunk, 8 and 16 in the next, 8 once more with another chunk. */
static void the_best_team_is_of_the_newest_session(void **unused)
{
#define HEAD "row_id,experiment,impl,device,threads,chunk,mean_ms,ci_lo_ms,ci_hi_ms\n"
#define TEAMS(of, more, ms) \
    ORDER ROWS("ours(x/" of ", impl=rdp/omp-columns" more ", mean_ms) == " ms)
    static const struct verdict cases[] = {
        {TEAMS("t", ", threads=best", "3"), HOLDS, "it holds"},
        {TEAMS("t", "", "4"), HOLDS, "it holds"}, /* the largest */
        {TEAMS("t", ", threads=12", "1"), HOLDS, "it holds"},
        /* a row without a chunk has the default, 8, and no other */
        {TEAMS("t", ", threads=12, chunk=8", "1"), HOLDS, "it holds"},
        {TEAMS("t", ", threads=12, chunk=9", "1"), OPEN, "chunk=9"},
        {TEAMS("u", "", "5"), OPEN, "rows that differ in chunk"},
    };
    char in[700];

    (void)unused;
    snprintf(in, sizeof in, "%s/results/teams", base);
    write_session(
        in, FIRST,
        HEAD "r1,x/t,rdp/omp-columns,omp,12,,1,1,1\nr2,x/u,rdp/omp-columns,omp,8,,1,1,1\n");
    write_session(in, CUT,
                  HEAD "r1,x/t,rdp/omp-columns,omp,8,8,3,3,3\n"
                       "r2,x/t,rdp/omp-columns,omp,16,8,4,4,4\n"
                       "r3,x/u,rdp/omp-columns,omp,8,9,5,5,5\n");
    read_again(in);
    all_judged(cases, N(cases), &machine);
}

/* Three processes of one call, and an older row.  Their own intervals are wide, and count for nothing. */
static void processes_are_taken_together(void **unused)
{
#define RUNS "row_id,utc,impl,mean_ms,median_ms,ci_lo_ms,ci_hi_ms,run,run_group\n"
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {VALUE("11") TOL ROWS("ours(x/t, impl=a, mean_ms)"),
         35. / 3}, /* the mean of their means */
        {RATIO("5.5") ROWS("ours(x/t, impl=a, median_ms) / ours(x/t, impl=b, median_ms)"), 5.5},
        {VALUE("11") TOL ROWS("ours(x/t, impl=a, median_ms)"), 11},
    };
    struct claim_judgement j = {.value = 0};
    char in[700];

    (void)unused;
    snprintf(in, sizeof in, "%s/results/runs", base);
    write_session(in, FIRST, RUNS "r1,1,a,70,70,0.70,700,,\n");
    write_session(in, CUT, RUNS "r1,2,a,10,10,0.10,100,1,g\nr2,2,b,2,2,0.2,20,1,g\n");
    write_session(in, LATER, RUNS "r1,3,a,14,14,0.14,140,2,g\nr2,3,b,2,2,0.2,20,2,g\n");
    write_session(in, LAST, RUNS "r1,4,a,11,11,0.11,110,3,g\n");
    read_again(in);
    for (size_t i = 0; i < N(cases); i++) {
        parse(cases[i].text);
        j = judge(0, &machine);
        assert_true(j.value > cases[i].value - 1e-3 && j.value < cases[i].value + 1e-3);
    }
    assert_true(j.low > 9.999 && j.low < 10.001 && j.high > 13.999 && j.high < 14.001);
    assert_int_equal(j.verdict, OPEN); /* from 10 to 14 */
}

static void folders_without_results_have_no_rows(void **unused)
{
    (void)unused;
    read_again(paper);
    assert_int_equal(store_n_measurements(machine.store), 0);
    all_judged(&(struct verdict){ORDER ROWS(MS("a") " < 4"), OPEN, "no row of x/t here"}, 1,
               &machine);
    claim_machine_free(&machine);
    assert_int_equal(claim_machine_read("nowhere", NULL, &machine), BENCH_EINPUT);
    assert_non_null(strstr(bench_failure(), "expected a folder with results"));
    assert_null(machine.name);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(rows_are_judged),
        TEST(shape_is_within_a_factor_of_2),
        TEST(faster_is_by_more_than_noise),
        TEST(counters_are_cells),
        TEST(a_card_that_is_cut_stands_for_the_board),
        TEST(a_part_and_the_whole_are_two_cells),
        TEST(an_explanation_says_what_does_not_scale),
        TEST(wrong_keys_are_refused),
        TEST(rows_that_belong_together_are_of_one_session),
        TEST(the_best_team_is_of_the_newest_session),
        TEST(processes_are_taken_together),
        TEST(folders_without_results_have_no_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
