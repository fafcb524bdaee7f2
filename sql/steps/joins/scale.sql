    cross join scale_rows
