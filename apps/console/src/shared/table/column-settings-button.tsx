import { Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { Icon } from '../icon/icon.tsx'
import { sharedMessages } from '../i18n/shared-messages.ts'
import type { Column } from './column.ts'
import styles from './column-settings-button.module.css'
import { type ColumnChoice, type ColumnSettings, defaultChoice } from './use-columns.ts'

/** Belongs into the actions of the page header, beside the table it arranges. */
export function ColumnSettingsButton<Row>({ settings }: { readonly settings: ColumnSettings<Row> }) {
  const t = sharedMessages.use()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button icon={<Icon name="columns" />} onClick={() => setIsOpen(true)}>
        {t('columns')}
      </Button>
      {isOpen && <ColumnDialog settings={settings} onClose={() => setIsOpen(false)} />}
    </>
  )
}

interface ColumnDialogProps<Row> {
  readonly settings: ColumnSettings<Row>
  readonly onClose: () => void
}

/** Works on a copy: nothing changes before OK. */
function ColumnDialog<Row>({ settings, onClose }: ColumnDialogProps<Row>) {
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

function choiceOf<Row>(columns: readonly Column<Row>[], isShown: boolean): ColumnChoice {
  return Object.fromEntries(columns.map((column) => [column.key, isShown]))
}
