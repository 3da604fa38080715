"""The rule book: each module asks one question and answers it for every variant.

`seating` who is against whom · `pack` which cards · `dealing` · `trump` · `beating` what beats what · `declaring` in a
chosen suit · `limit` how many attacking cards · `opening` · `throwing` · `transfer` · `exchange` with the talon ·
`turns` who begins, who draws first · `scoring` the end. `book` makes them one value, `variants` names the mixes.
"""
