import { Button } from 'antd'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { useIsPhone } from '../page/use-is-phone.ts'
import styles from './batch-bar.module.css'
import type { RowAction } from './column.ts'
import { RowActions } from './row-actions.tsx'

interface BatchBarProps {
  /** How many rows are ticked, on this page and others. */
  readonly count: number
  /** On a phone those that are not inline wait behind the three dots. */
  readonly actions: readonly RowAction[]
  readonly onClear: () => void
}

/**
 * What can be done with the ticked rows, at the lower edge of the window. Its place is kept free while nothing is ticked, so
 * that ticking the first row moves nothing.
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
