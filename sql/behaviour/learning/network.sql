{# What a round holds for likely of each place of the impressions. Down to the last click everything is known but whether
   that click satisfied; below it `unclicked` is the probability that nothing from a place on is clicked, where it was looked
   at. #}
with
below as (
    select
        places.session,
        places.sessions,
        places.pair,
        places.clicked,
        places.place,
        places.places,
        places.last_click,
        network.attraction,
        network.satisfaction,
        continuation.continuation as going_on,
        case
            when places.place > places.last_click
                then sum(case when places.place > places.last_click then ln(1 - network.attraction) + ln(continuation.continuation) else 0 end)
                    over (partition by places.session order by places.place asc rows unbounded preceding)
        end as passed
    from {{ places }} as places
    inner join {{ network }} as network on places.pair = network.pair
    cross join {{ continuation }} as continuation
),

suffixes as (
    select
        session,
        sessions,
        pair,
        clicked,
        place,
        places,
        last_click,
        attraction,
        satisfaction,
        going_on,
        sum(case when passed is not null then exp(greatest(passed, -700)) * case when place < places then 1 - going_on else 1 end end)
            over (partition by session order by place asc rows between current row and unbounded following)
        / exp(greatest(passed - ln(1 - attraction) - ln(going_on), -700)) / going_on as unclicked
    from below
),

onward as (
    select
        session,
        sessions,
        pair,
        clicked,
        place,
        places,
        last_click,
        attraction,
        satisfaction,
        going_on,
        unclicked,
        coalesce(lead(unclicked) over (partition by session order by place asc), 1) as unclicked_next
    from suffixes
),

reached as (
    select
        session,
        sessions,
        pair,
        clicked,
        place,
        last_click,
        attraction,
        satisfaction,
        going_on,
        -- of what a click at this place leaves open: that it satisfied, or that one stopped or found nothing below
        satisfaction + (1 - satisfaction) * (1 - going_on + going_on * unclicked_next) as ended,
        going_on * unclicked_next as went_on,
        going_on * unclicked_next / (1 - going_on + going_on * unclicked_next) as share_on,
        unclicked
    from onward
),

examined as (
    select
        session,
        sessions,
        pair,
        clicked,
        place,
        last_click,
        attraction,
        satisfaction,
        going_on,
        ended,
        went_on,
        share_on,
        unclicked,
        case
            when place <= last_click then 1
            else coalesce(exp(
                sum(case
                    when place < last_click then 0
                    when place = last_click then ln((1 - satisfaction) * went_on / ended)
                    else ln(share_on)
                end) over (partition by session order by place asc rows between unbounded preceding and 1 preceding)
            ), 1)
        end as looked
    from reached
)

select
    pair,
    sessions,
    sessions * clicked as clicks,
    sessions * looked as examined,
    sessions * case when place <= last_click then clicked else (1 - looked) * attraction end as attracted,
    sessions * case when clicked = 1 and place = last_click then satisfaction / ended else 0 end as satisfied,
    -- the variances of what nobody saw
    sessions * case when place > last_click then (1 - looked) * attraction * (1 - (1 - looked) * attraction) else 0 end as attraction_unsure,
    sessions * case when clicked = 1 and place = last_click then satisfaction / ended * (1 - satisfaction / ended) else 0 end as satisfaction_unsure,
    sessions * case
        when place < last_click then 1
        when place = last_click then (1 - satisfaction) * went_on / ended
        else looked * share_on
    end as continued,
    sessions * case
        when place < last_click then 1
        when place = last_click then 1 - satisfaction / ended
        else looked
    end as might_continue,
    sessions * case
        when place < last_click and clicked = 1 then ln(attraction) + ln(1 - satisfaction) + ln(going_on)
        when place < last_click then ln(1 - attraction) + ln(going_on)
        when place = last_click then ln(attraction) + ln(ended)
        when place = 1 then ln(unclicked)
        else 0
    end as likelihood
from examined
