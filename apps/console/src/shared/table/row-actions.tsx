import { Button, type MenuProps } from 'antd'
import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import { MenuOnDemand } from '../on-demand/menu-on-demand.tsx'
import type { RowAction } from './column.ts'
import styles from './row-actions.module.css'

interface RowActionsProps {
  readonly actions: readonly RowAction[]
  /** On a phone all actions are in the three-dots menu. */
  readonly isFolded?: boolean
}

/** Actions on one row. Clicks are not propagated, so they neither open nor select the row. */
export function RowActions({ actions, isFolded = false }: RowActionsProps) {
  const inline = isFolded ? [] : actions.filter((action) => action.isInline === true)
  const folded = actions.filter((action) => !inline.includes(action))
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- not a control
    <div className={styles.actions} onClick={(event) => event.stopPropagation()}>
      {inline.map((action) => (
        <InlineAction key={action.key} action={action} />
      ))}
      {folded.length > 0 && <FoldedActions actions={folded} />}
    </div>
  )
}

function InlineAction({ action }: { readonly action: RowAction }) {
  const t = sharedMessages.use()
  const button = (
    <Button
      type="text"
      size="small"
      danger={action.isDestructive === true}
      disabled={isDisabled(action)}
      title={action.refusal}
      onClick={action.onSelect}
    >
      {action.label}
    </Button>
  )
  if (action.children === undefined) return button
  return (
    <span className={styles.split}>
      {button}
      <MenuOnDemand items={action.children.map(menuItem)}>
        <Button
          type="text"
          size="small"
          disabled={isDisabled(action)}
          icon={<Icon name="chevronDown" sizePx={12} />}
          aria-label={`${action.label}: ${t('moreActions')}`}
        />
      </MenuOnDemand>
    </span>
  )
}

function FoldedActions({ actions }: { readonly actions: readonly RowAction[] }) {
  const t = sharedMessages.use()
  return (
    <MenuOnDemand placement="bottomRight" items={actions.map(menuItem)}>
      <Button type="text" size="small" icon={<Icon name="more" />} aria-label={t('moreActions')} />
    </MenuOnDemand>
  )
}

function menuItem(action: RowAction): NonNullable<MenuProps['items']>[number] {
  const common = { key: action.key, label: labelOf(action), disabled: isDisabled(action) }
  if (action.children !== undefined) return { ...common, children: action.children.map(menuItem) }
  return { ...common, danger: action.isDestructive === true, onClick: action.onSelect }
}

function isDisabled(action: RowAction): boolean {
  return action.isDisabled === true || action.refusal !== undefined
}

function labelOf({ label, refusal }: RowAction): ReactNode {
  if (refusal === undefined) return label
  return (
    <>
      {label}
      <span className={styles.refusal}>{refusal}</span>
    </>
  )
}
