/*
 * stereo.cc - a peer that makes stixels of a stereo pair: a matcher, then libdepthbench
 *
 *     stereo [-m] MATCHER VARIANT CAMERA.ini LEFT.png RIGHT.png
 *
 * MATCHER: sgbm (OpenCV on the CPU, as scripts/disparity).  VARIANT: stixels/openmp ...
 * -m: a run is the matcher alone, and the output has the stixels of the first run.
 */
#include <depthbench.h>
#include <opencv2/calib3d.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <png.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

struct skip : std::runtime_error { /* what cannot be done here */
    using std::runtime_error::runtime_error;
};

/* In grey: colours are mixed as libpng mixes them for OpenCV 4.6's imread. */
static cv::Mat read_view(const std::string &path)
{
    png_image file = {};

    file.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&file, path.c_str()))
        throw skip(path + ": " + file.message);
    file.format = PNG_FORMAT_RGB;
    cv::Mat_<cv::Vec3b> colours((int)file.height, (int)file.width);
    if (!png_image_finish_read(&file, nullptr, colours.data, 0, nullptr))
        throw skip(path + ": " + file.message);
    cv::Mat_<uchar> grey(colours.size());
    std::transform(colours.begin(), colours.end(), grey.begin(), [](const cv::Vec3b &rgb) {
        return (uchar)((9797 * rgb[0] + 19234 * rgb[1] + 3737 * rgb[2]) >> 15);
    });
    return grey;
}

/* int16 in 1/16 px; 0 and below: no match */
static cv::Ptr<cv::StereoSGBM> make_matcher(const std::string &name)
{
    if (name != "sgbm")
        throw skip("expected the matcher sgbm, found '" + name + "'");
    /* the defaults of scripts/disparity */
    return cv::StereoSGBM::create(0, 128, 5, 200, 800, 1, 0, 10, 100, 2);
}

static std::map<std::string, double> read_camera(const std::string &path)
{
    std::map<std::string, double> numbers;
    std::ifstream file(path);
    std::string line, key, equals;
    double value;

    if (!file)
        throw skip(path + " cannot be read");
    while (std::getline(file, line))
        if (std::istringstream(line) >> key >> equals >> value)
            numbers[key] = value;
    for (const char *name : {"fx", "cy", "baseline_m", "height_m"})
        if (!numbers.count(name))
            throw skip(path + ": expected a line '" + name + " = ...'");
    return numbers;
}

static void map(const std::string &path, char *&data, size_t &bytes)
{
    const int fd = open(path.c_str(), O_RDWR);

    if (data)
        munmap(data, bytes);
    bytes = (size_t)lseek(fd, 0, SEEK_END);
    data = (char *)mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (data == MAP_FAILED)
        throw data = nullptr, std::runtime_error(path + " cannot be mapped");
}

static void check(int status)
{
    if (status == DEPTHBENCH_EUNABLE)
        throw skip(depthbench_error());
    if (status != DEPTHBENCH_OK)
        throw std::runtime_error(depthbench_error());
}

struct peer {
    bool matches_alone, has_stixels;
    int32_t prepared[8];                     /* the shape; zeros: none */
    char **args;                             /* MATCHER ... RIGHT.png */
    std::map<std::string, std::string> told; /* by key */
    char *in, *out;
    size_t in_bytes, out_bytes;
    cv::Mat left, right, sixteenths, first_map;
    cv::Ptr<cv::StereoSGBM> matcher;
    depthbench *stixels;

    const void *block(const char *name) const /* of the table that begins at byte 16 */
    {
        const char *b = in + 16;

        for (int i = 0; i < 16; i++, b += 32)
            if (!strcmp(b, name))
                return in + *(const uint64_t *)(b + 16);
        throw std::runtime_error(std::string("the input has no ") + name);
    }

    void read_views()
    {
        cv::setNumThreads(std::stoi(told["threads"]));
        left = read_view(args[3]);
        right = read_view(args[4]);
        if (left.size() != right.size())
            throw skip("the views differ in size");
        matcher = make_matcher(args[0]);
    }

    /* A context for frames of a shape: n_frames, height, width, block_rows, block_cols, n_rows,
     * n_cols, n_classes */
    void prepare(const int32_t *shape)
    {
        auto camera = read_camera(args[2]);

        if (shape[0] != 1 || shape[1] != left.rows - left.rows % shape[3] ||
            shape[2] != left.cols - left.cols % shape[4])
            throw skip(cv::format("the pair has %d x %d px, the input %d frames of %d x %d",
                                  left.cols, left.rows, shape[0], shape[2], shape[1]));
        depthbench_free(stixels);
        has_stixels = false;
        check(depthbench_new(args[1], &stixels));
        for (const auto &key : told)
            if (depthbench_get(stixels, key.first.c_str()))
                check(depthbench_set(stixels, key.first.c_str(), key.second.c_str()));
        check(depthbench_set(stixels, "classes", std::to_string(shape[7]).c_str()));
        check(depthbench_camera(stixels, camera["fx"], camera["fy"], camera["cx"], camera["cy"],
                                camera["baseline_m"], camera["height_m"], camera["pitch_rad"]));
        check(depthbench_shape(stixels, 1, shape[1], shape[2]));
        check(depthbench_prepare(stixels));
        memcpy(prepared, shape, sizeof prepared);
    }

    void load(const std::string &path)
    {
        size_t bytes;

        map(path, in, in_bytes);
        map(told["output"], out, out_bytes);
        if (!matcher)
            read_views();
        if (memcmp(prepared, block("shape"), sizeof prepared) != 0)
            prepare((const int32_t *)block("shape"));
        for (const char *name : {"confidence", "probability"}) /* where it has them */
            if (void *const array = depthbench_array(stixels, name, &bytes))
                memcpy(array, block(name), bytes);
    }

    void make_stixels()
    {
        const int32_t *const shape = (const int32_t *)block("shape");
        uint16_t *d = (uint16_t *)depthbench_array(stixels, "disparity", nullptr);

        for (int v = 0; v < shape[1]; v++)
            for (int u = 0; u < shape[2]; u++) {
                const int value = sixteenths.at<int16_t>(v, u);
                *d++ = (uint16_t)(value > 0 ? 16 * value : 0xFFFF);
            }
        check(depthbench_run(stixels));
        check(depthbench_wait(stixels));
        if (matches_alone)
            sixteenths.copyTo(first_map);
        has_stixels = true;
    }

    long long run() /* ns */
    {
        const auto began = std::chrono::steady_clock::now();
        size_t n_first, n_list;

        matcher->compute(left, right, sixteenths);
        if (!matches_alone || !has_stixels)
            make_stixels();
        const void *const first = depthbench_array(stixels, "first", &n_first);
        const void *const list = depthbench_array(stixels, "list", &n_list);
        memcpy(out, first, n_first);
        memcpy(out + n_first, list, n_list);
        const auto took = std::chrono::steady_clock::now() - began;
        if (matches_alone && cv::norm(sixteenths, first_map, cv::NORM_INF) > 0)
            throw std::runtime_error("the matcher made another map than in the first run");
        return std::chrono::nanoseconds(took).count();
    }

    void answer(const std::string &line)
    {
        const size_t equals = line.find('=');

        if (line.compare(0, 5, "load ") == 0)
            load(line.substr(5)), puts("ok");
        else if (line.compare(0, 4, "run ") == 0)
            for (int n = std::stoi(line.substr(4)); n > 0; n--)
                printf("%lld\n", run());
        else if (equals != std::string::npos)
            told[line.substr(0, equals)] = line.substr(equals + 1);
    }
};

int main(int argc, char **argv)
{
    const bool m = argc > 1 && !strcmp(argv[1], "-m");
    peer peer = {};

    if (argc - m != 6) {
        fputs("stereo [-m] MATCHER VARIANT CAMERA.ini LEFT.png RIGHT.png\n", stderr);
        return 2;
    }
    peer.matches_alone = m;
    peer.args = argv + 1 + m;
    for (std::string line; std::getline(std::cin, line) && line != "quit"; fflush(stdout))
        try {
            peer.answer(line);
        } catch (const skip &why) {
            printf("skip %.240s\n", why.what());
        } catch (const std::exception &why) { /* OpenCV says more than a line */
            printf("error %.*s\n", (int)std::min(strcspn(why.what(), "\n"), (size_t)240),
                   why.what());
        }
    depthbench_free(peer.stixels);
    return 0;
}
