/**
 * A dash for a missing value in a column. The second line of a phone's row leaves it out
 * (`phone-list.module.css`).
 */
export function NoValue() {
  return (
    <span className="muted" data-no-value>
      –
    </span>
  )
}
