import { Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { sharedMessages } from '../i18n/shared-messages.ts'
import type { Column } from './column.ts'
import styles from './column-dialog.module.css'
import { type ColumnChoice, type ColumnSettings, defaultChoice } from './use-columns.ts'

interface ColumnDialogProps {
  readonly settings: ColumnSettings<never>
  readonly onClose: () => void
}

/** Edits a copy: nothing changes until OK. */
export function ColumnDialog({ settings, onClose }: ColumnDialogProps) {
  const t = sharedMessages.use()
  const [draft, setDraft] = useState<ColumnChoice>(settings.choice)
  const movable = settings.all.filter((column) => column.isFixed !== true)
  const shown = movable.filter((column) => draft[column.key] === true).length
  const setAll = (isShown: boolean) => setDraft({ ...draft, ...choiceOf(movable, isShown) })

  return (
    <Modal
      open
      width={440}
      title={t('columns.title')}
      okText={t('ok')}
      cancelText={t('cancel')}
      onCancel={onClose}
      onOk={() => {
        settings.choose(draft)
        onClose()
      }}
    >
      <div className={styles.head}>
        <Checkbox
          checked={shown === movable.length}
          indeterminate={shown > 0 && shown < movable.length}
          onChange={(event) => setAll(event.target.checked)}
        >
          {t('columns.all')}
        </Checkbox>
        <Button type="link" size="small" onClick={() => setDraft(defaultChoice(settings.all))}>
          {t('columns.reset')}
        </Button>
      </div>
      <div className={styles.grid}>
        {movable.map((column) => (
          <Checkbox
            key={column.key}
            checked={draft[column.key] === true}
            onChange={(event) => setDraft({ ...draft, [column.key]: event.target.checked })}
          >
            {column.title}
          </Checkbox>
        ))}
      </div>
    </Modal>
  )
}

function choiceOf(columns: readonly Column<never>[], isShown: boolean): ColumnChoice {
  return Object.fromEntries(columns.map((column) => [column.key, isShown]))
}
