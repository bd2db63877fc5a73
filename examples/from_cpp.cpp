/*
 * The public headers are C++, too: a plan that frees itself, and one
 * question as JSON.
 */
#include <iostream>
#include <memory>
#include <string>

#include <dosimeter.h>
#include <dosimeter/json.h>

struct plan_free {
    void operator()(const dosi_plan *plan) const
    {
        dosi_plan_free(plan);
    }
};

int main()
{
    const std::string text = "pure(0.1) * 100";
    const dosi_plan *parsed = nullptr;
    dosi_error err;

    if (dosi_plan_parse(&parsed, text.data(), text.size(), &err) != DOSI_OK) {
        std::cerr << err.message << '\n';
        return 1;
    }
    std::unique_ptr<const dosi_plan, plan_free> plan(parsed);
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_answer answer;
    if (dosi_epsilon_at_delta(&answer, plan.get(), 1e-6, &options, &err) !=
        DOSI_OK) {
        std::cerr << err.message << '\n';
        return 1;
    }
    char upper[DOSI_NUMBER_BYTES];
    dosi_print_upper(upper, answer.value.hi, 7);
    std::cout << "epsilon <= " << upper << '\n';

    const std::string question =
        "{\"query\":\"delta\",\"plan\":\"pure(0)\",\"epsilon\":0}";
    char *json = nullptr;
    if (dosi_json_answer(
            &json, question.data(), question.size(), nullptr, &err) != DOSI_OK)
        return 1;
    std::cout << std::string(json).substr(0, 21) << '\n';
    dosi_json_free(json);
    return 0;
}
