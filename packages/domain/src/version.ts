/** The version of Loci: that of every package of it. */
export const lociVersion = "0.1.0";
