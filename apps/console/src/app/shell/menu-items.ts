import type { Status } from '@tollgate/contract/status'
import type { Feature, FeatureAccess, MenuEntry, MenuSection } from '../../shared/routing/feature.ts'
import { role, type SessionUser } from '../../shared/session/session.ts'

export interface MenuGroup {
  readonly section: MenuSection
  readonly features: readonly Feature[]
}

const sections: readonly MenuSection[] = ['top', 'console', 'admin', 'personal']
const roleNeeded: Readonly<Record<FeatureAccess, number>> = {
  public: 0,
  user: role.user,
  admin: role.admin,
  root: role.root,
}

/**
 * Whether this user may open the page. The server checks again; this check only avoids showing a link that
 * would fail.
 */
export function mayOpen(feature: Feature, user: SessionUser | undefined): boolean {
  return (user?.role ?? 0) >= roleNeeded[feature.access]
}

interface Reader {
  readonly user: SessionUser | undefined
  readonly status: Pick<Status, NonNullable<MenuEntry['flag']>>
}

/** The side menu for this user: sections in their fixed order, without empty ones. */
export function menuOf(features: readonly Feature[], { user, status }: Reader): readonly MenuGroup[] {
  const isOn = ({ menu }: Feature) => menu?.flag === undefined || status[menu.flag]
  const allowed = features.filter((feature) => mayOpen(feature, user) && isOn(feature))
  return sections
    .map((section) => ({ section, features: inSection(allowed, section) }))
    .filter((group) => group.features.length > 0)
}

function inSection(features: readonly Feature[], section: MenuSection): readonly Feature[] {
  return features
    .filter((feature) => feature.menu?.section === section)
    .toSorted((left, right) => (left.menu?.order ?? 0) - (right.menu?.order ?? 0))
}
