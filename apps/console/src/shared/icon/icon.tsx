import { glyphs, type IconName } from './glyphs.ts'
import styles from './icon.module.css'

/** Decorative: the control around it contains the text. */
export function Icon({ name, sizePx = 16 }: { readonly name: IconName; readonly sizePx?: number }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" width={sizePx} height={sizePx} aria-hidden="true">
      <path d={glyphs[name]} />
    </svg>
  )
}
