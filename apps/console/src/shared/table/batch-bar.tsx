import { Button } from 'antd'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { useIsPhone } from '../page/use-is-phone.ts'
import styles from './batch-bar.module.css'
import type { RowAction } from './column.ts'
import { RowActions } from './row-actions.tsx'

interface BatchBarProps {
  /** The number of selected rows, on this page and others. */
  readonly count: number
  /** On a phone, actions that are not inline are in the three-dots menu. */
  readonly actions: readonly RowAction[]
  readonly onClear: () => void
}

/**
 * Actions on the selected rows, at the lower edge of the window. Its space is reserved while nothing is
 * selected, so that selecting the first row does not move the layout.
 */
export function BatchBar({ count, actions, onClear }: BatchBarProps) {
  const t = sharedMessages.use()
  const isPhone = useIsPhone()
  const words = t('selection.count', { count })
  const shown = actions.filter(({ isInline }) => !isPhone || isInline === true)
  const folded = actions.filter((action) => !shown.includes(action))
  return (
    <div className={styles.place}>
      {count > 0 && (
        <fieldset className={styles.bar} aria-label={words}>
          <strong className="number">{words}</strong>
          {shown.map(({ key, label, isDestructive, onSelect }) => (
            <Button key={key} size="small" danger={isDestructive === true} onClick={onSelect}>
              {label}
            </Button>
          ))}
          {folded.length > 0 && <RowActions actions={folded} isFolded />}
          <Button
            type="text"
            size="small"
            icon={<Icon name="close" sizePx={12} />}
            aria-label={t('selection.clear')}
            title={t('selection.clear')}
            onClick={onClear}
          />
        </fieldset>
      )}
    </div>
  )
}
