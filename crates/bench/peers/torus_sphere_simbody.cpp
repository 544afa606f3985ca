// Torus and sphere of torus_sphere.py in Simbody: springs on the torus' triangles (ElasticFoundationForce), integrated
// by Runge-Kutta-Merson under error control. torus_sphere.py builds and runs it:
//
//   torus_sphere_simbody TORUS.obj SPHERE.obj STIFFNESS DISSIPATION FRICTION SLIP ACCURACY Y Z BEGIN END CAP
//
// STIFFNESS in N/m³, DISSIPATION in s/m, SLIP (friction is full from there on) in m/s, the rest in SI units too. The
// ball starts at (0, Y, Z) at rest; what happens between BEGIN and END is timed, until CAP seconds of wall time have
// passed. Prints one line of JSON.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "Simbody.h"

using namespace SimTK;

static ContactGeometry::TriangleMesh load(const char* file) {
    PolygonalMesh polygons;
    polygons.loadObjFile(file);
    return ContactGeometry::TriangleMesh(polygons);
}

int main(int count, char** words) {
    if (count != 13) {
        std::fprintf(stderr, "twelve arguments, please: see the head of the source\n");
        return 2;
    }
    const auto number = [&](int k) { return std::atof(words[k]); };
    const Real stiffness = number(3), dissipation = number(4), friction = number(5), slip = number(6);
    const Real accuracy = number(7), y = number(8), z = number(9);
    const double begin = number(10), end = number(11), cap = number(12);

    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    GeneralContactSubsystem contacts(system);
    Force::UniformGravity gravity(forces, matter, Vec3(0, 0, -9.81));
    const Body::Rigid solid(MassProperties(10, Vec3(0), Inertia(0.5)));
    MobilizedBody::Free ball(matter.Ground(), Transform(), solid, Transform());

    const ContactSetIndex set = contacts.createContactSet();
    contacts.addBody(set, matter.Ground(), load(words[1]), Transform());
    contacts.addBody(set, ball, load(words[2]), Transform());
    ElasticFoundationForce foundation(forces, contacts, set);
    foundation.setBodyParameters(ContactSurfaceIndex(0), stiffness, dissipation, friction, friction, 0);
    foundation.setTransitionVelocity(slip);

    system.realizeTopology();
    State state = system.getDefaultState();
    ball.setQToFitTranslation(state, Vec3(0, y, z));

    RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(accuracy);
    integrator.setMaximumStepSize(0.01);
    TimeStepper stepper(system, integrator);
    stepper.initialize(state);
    if (begin > 0) stepper.stepTo(begin);

    using Clock = std::chrono::steady_clock;
    const int evaluations = system.getNumRealizationsOfThisStage(Stage::Acceleration);
    const int steps = integrator.getNumStepsTaken();
    const auto start = Clock::now();
    double wall = 0, time = begin;
    // In parts of 10 ms, which are those of Carom's output.
    while (time < end - 1e-9 && wall < cap) {
        time = std::min(time + 0.01, end);
        stepper.stepTo(time);
        wall = std::chrono::duration<double>(Clock::now() - start).count();
    }
    std::printf("{\"steps\": %d, \"evaluations\": %d, \"wall_s\": %.9g, \"simulated_s\": %.9g, \"height_m\": %.9g}\n",
                integrator.getNumStepsTaken() - steps,
                system.getNumRealizationsOfThisStage(Stage::Acceleration) - evaluations, wall, time - begin,
                ball.getBodyOriginLocation(integrator.getState())[2]);
    return 0;
}
