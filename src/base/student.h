/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_STUDENT_H
#define BASE_STUDENT_H

/* P(|T| >= |t|) of Student's t with `degrees` > 0 of freedom, which need not be whole; INFINITY: the normal
 * distribution. To 9 digits or more, to 5 above a million degrees: DLMF, 8.17.22 for the incomplete beta function, by
 * Lentz's way. */
double student_two_tails(double t, double degrees);

#endif
