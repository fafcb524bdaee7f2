{# Quantiles of distributions that DuckDB has not, as macros of one session. Each begins with an approximation and takes a
   few steps of Halley's method (Press et al., Numerical Recipes, 3rd edition, 6.14.12). A list of one holds what is read
   twice: a macro puts what it is given in every place, and no engine computes it once inside a lambda. #}

{# The continued fraction of the incomplete beta function (DLMF 8.17.22), from its end. Forty terms leave a probability of
   one side wrong by less than a millionth of itself, for shapes up to 30,000. #}
create temp macro {{ f.beta_fraction | ident }}(a, b, x) as
    1 / list_reduce(
        range(40, 0, -1),
        lambda rest, j: 1 + (case when j % 2 = 0 then (j // 2) * (b - j // 2) else -(a + j // 2) * (a + b + j // 2) end)
            * x / ((a + j - 1) * (a + j)) / rest,
        1e0
    );
create temp macro {{ f.beta_power | ident }}(a, b, x) as
    exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * ln(x) + b * ln(1 - x));
create temp macro {{ f.beta_below | ident }}(a, b, x) as
    case
        when x < (a + 1) / (a + b + 2) then {{ f.beta_power | ident }}(a, b, x) / a * {{ f.beta_fraction | ident }}(a, b, x)
        else 1 - {{ f.beta_power | ident }}(a, b, x) / b * {{ f.beta_fraction | ident }}(b, a, 1 - x)
    end;
{# Where to begin: by Cochran's approximation where both shapes are 1 or more (Abramowitz and Stegun 26.5.22), else by the
   powers at both ends. #}
create temp macro {{ f.beta_middle | ident }}(a, b, z, h) as
    a / (a + b * exp(-2 * (
        z * sqrt(h + (z * z - 3) / 6) / h + (1 / (2 * b - 1) - 1 / (2 * a - 1)) * ((z * z - 3) / 6 + 5e0 / 6 - 2 / (3 * h))
    )));
create temp macro {{ f.beta_ends | ident }}(a, b, p, u, v) as
    case when p < u / (u + v) then power(a * (u + v) * p, 1 / a) else 1 - power(b * (u + v) * (1 - p), 1 / b) end;
create temp macro {{ f.beta_start | ident }}(a, b, z, p) as
    case
        when a >= 1 and b >= 1 then {{ f.beta_middle | ident }}(a, b, z, 2 / (1 / (2 * a - 1) + 1 / (2 * b - 1)))
        else {{ f.beta_ends | ident }}(a, b, p, exp(a * ln(a / (a + b))) / a, exp(b * ln(b / (a + b))) / b)
    end;
create temp macro {{ f.halley | ident }}(step, slope) as step / (1 - 0.5 * least(1, step * slope));
{# A quantile that no number between 0 and 1 tells from these is one of them, as of shapes near 0. #}
create temp macro {{ f.quantile_of_beta | ident }}(a, b, z, p) as
    list_transform(
        [{{ f.beta_start | ident }}(a, b, z, p)],
        lambda first: case
            when first < 1e-290 then 0e0
            when first > 1 - 1e-15 then 1e0
            else list_reduce(
                range(4),
                lambda x, i: list_transform(
                    [({{ f.beta_below | ident }}(a, b, x) - p) / ({{ f.beta_power | ident }}(a, b, x) / (x * (1 - x)))],
                    lambda step: least(greatest(x - {{ f.halley | ident }}(step, (a - 1) / x - (b - 1) / (1 - x)), x / 4), (x + 3) / 4)
                )[1],
                first
            )
        end
    )[1];

{# The series of the incomplete gamma function (DLMF 8.7.1), from its end. #}
create temp macro {{ f.gamma_below | ident }}(s, x) as
    exp(s * ln(x) - x - lgamma(s + 1))
    * list_reduce(range(cast(20 + x + 8 * sqrt(x) as bigint), 0, -1), lambda rest, j: 1 + x / (s + j) * rest, 1e0);
{# Wilson and Hilferty's approximation where the shape is 1 or more, else the power at the lower end. #}
create temp macro {{ f.gamma_start | ident }}(s, z, p) as
    case
        when s >= 1 and 1 - 1 / (9 * s) + z / (3 * sqrt(s)) > 0 then s * power(1 - 1 / (9 * s) + z / (3 * sqrt(s)), 3)
        else exp((ln(p) + lgamma(s + 1)) / s)
    end;
create temp macro {{ f.quantile_of_gamma | ident }}(s, z, p) as
    case
        when s > 1000 then {{ f.gamma_start | ident }}(s, z, p)
        else list_reduce(
            range(4),
            lambda x, i: list_transform(
                [({{ f.gamma_below | ident }}(s, x) - p) / exp((s - 1) * ln(x) - x - lgamma(s))],
                lambda step: greatest(x - {{ f.halley | ident }}(step, (s - 1) / x - 1), x / 4)
            )[1],
            {{ f.gamma_start | ident }}(s, z, p)
        )
    end
