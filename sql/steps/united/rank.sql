        rank
