/** Why a charge is not simply the price of the usage that the upstream reported. */
export type SettleFlag =
  | 'estimated'
  | 'partial'
  | 'client_gone'
  | 'cut'
  | 'recovered'
  | 'late'
  | 'waived'
  /** The upstream served, or used, a model that nobody asked for. */
  | 'served_other'
  /** The vendor took a fee whose price nobody knows; it was not charged. */
  | 'fee_unknown'
  /** Parts of the upstream's report contradicted each other. */
  | 'usage_mended'
